import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ParserPoolOptions } from './pool-options.js';

/** How to start a child. */
export interface ChildCommand {
  file: string;
  args: string[];
  /** Whether the operating system enforces the limits; else the parent has to watch. */
  isLimited: boolean;
}

const PRLIMIT_PATHS = ['/usr/bin/prlimit', '/bin/prlimit', '/usr/local/bin/prlimit'];
const MAX_OPEN_FILES = 256;
/** Part of the memory limit that the JavaScript heap may take; the rest is for buffers, code and native parsers. */
const HEAP_SHARE = 0.75;

/** The command line of a child: Node under `prlimit` where there is one (null: none), from the build or the sources. */
export function childCommand(options: ParserPoolOptions, prlimit: string | null = findPrlimit()): ChildCommand {
  const heapMebibytes = Math.floor((options.memoryBytes * HEAP_SHARE) / 1024 / 1024);
  const node = [process.execPath, `--max-old-space-size=${heapMebibytes}`, '--max-semi-space-size=8', ...entry()];
  if (prlimit === null) return { file: node[0]!, args: node.slice(1), isLimited: false };
  const limits = [
    `--data=${options.memoryBytes}`,
    `--cpu=${options.cpuSeconds}:${options.cpuSeconds + 5}`,
    `--nofile=${MAX_OPEN_FILES}`,
    '--core=0',
  ];
  return { file: prlimit, args: [...limits, ...node], isLimited: true };
}

/** The program that sets limits, from util-linux; looked for in fixed places. */
function findPrlimit(): string | null {
  if (process.platform !== 'linux') return null;
  return PRLIMIT_PATHS.find((path) => existsSync(path)) ?? null;
}

/** In a build this file is JavaScript and so is the entry; in tests both are TypeScript, run through a small loader. */
function entry(): string[] {
  if (!import.meta.url.endsWith('.ts')) return [fileURLToPath(new URL('../child/parse-child.js', import.meta.url))];
  const loader = new URL('../testing/source-loader.mjs', import.meta.url).href;
  return ['--import', loader, fileURLToPath(new URL('../child/parse-child.ts', import.meta.url))];
}
