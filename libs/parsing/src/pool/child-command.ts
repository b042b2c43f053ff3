import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Exchange } from '../sandbox/exchange.js';
import { SANDBOX_GENERATIONS, type Sandbox } from '../sandbox/sandbox.js';
import type { ParserPoolOptions } from './pool-options.js';

/** How to start a child. */
export interface ChildCommand {
  file: string;
  args: string[];
  /** Whether the operating system enforces the limits; else the parent has to watch. */
  isLimited: boolean;
  /** Processes between the one that is started and the parser. */
  generations: number;
}

/** The sandbox that a child runs in, and its exchange folder, furnished. */
export interface Containment {
  sandbox: Sandbox;
  exchange: Exchange;
}

const PRLIMIT_PATHS = ['/usr/bin/prlimit', '/bin/prlimit', '/usr/local/bin/prlimit'];
const SETPRIV_PATHS = ['/usr/bin/setpriv', '/bin/setpriv', '/usr/local/bin/setpriv'];
const MAX_OPEN_FILES = 256;
/** Part of the memory limit that the JavaScript heap may take; the rest is for buffers, code and native parsers. */
const HEAP_SHARE = 0.75;

/** The command line of a child from the build or the sources: Node under `prlimit` where there is one (null: none). */
export function childCommand(
  options: ParserPoolOptions,
  containment?: Containment,
  prlimit: string | null = findPrlimit(),
): ChildCommand {
  const heapMebibytes = Math.floor((options.memoryBytes * HEAP_SHARE) / 1024 / 1024);
  const node = [process.execPath, `--max-old-space-size=${heapMebibytes}`, '--max-semi-space-size=8', ...entry()];
  return limitedCommand(node, options, containment, prlimit);
}

/** The command line of any program under the limits of a child, in its sandbox if there is one, ending with our process. */
export function limitedCommand(
  program: readonly string[],
  { memoryBytes, cpuSeconds }: Pick<ParserPoolOptions, 'memoryBytes' | 'cpuSeconds'>,
  containment?: Containment,
  prlimit: string | null = findPrlimit(),
): ChildCommand {
  const { sandbox, exchange } = containment ?? {};
  const contained = sandbox === undefined ? [...program] : sandbox.command(exchange!, program);
  const limits = [
    `--data=${memoryBytes}`,
    `--cpu=${cpuSeconds}:${cpuSeconds + 5}`,
    `--nofile=${MAX_OPEN_FILES}`,
    '--core=0',
  ];
  const setpriv = find(SETPRIV_PATHS);
  const [file, ...args] = [
    ...(setpriv === null ? [] : [setpriv, '--pdeathsig', 'KILL', '--']),
    ...(prlimit === null ? [] : [prlimit, ...limits]),
    ...contained,
  ] as [string, ...string[]];
  return { file, args, isLimited: prlimit !== null, generations: sandbox === undefined ? 0 : SANDBOX_GENERATIONS };
}

/** The program that sets limits, from util-linux; looked for in fixed places. */
function findPrlimit(): string | null {
  return find(PRLIMIT_PATHS);
}

function find(paths: readonly string[]): string | null {
  if (process.platform !== 'linux') return null;
  return paths.find((path) => existsSync(path)) ?? null;
}

/** In a build this file is JavaScript and so is the entry; in tests both are TypeScript, run through a small loader. */
function entry(): string[] {
  if (!import.meta.url.endsWith('.ts')) return [fileURLToPath(new URL('../child/parse-child.js', import.meta.url))];
  const loader = new URL('../testing/source-loader.mjs', import.meta.url).href;
  return ['--import', loader, fileURLToPath(new URL('../child/parse-child.ts', import.meta.url))];
}
