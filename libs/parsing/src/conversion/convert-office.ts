import { spawn } from 'node:child_process';
import { lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ParseError } from '../parse-error.js';
import { giveWay } from '../pool/child-priority.js';
import { Exchange } from '../sandbox/exchange.js';
import { INPUT_FOLDER, OUTPUT_FOLDER, TEMPORARY_FOLDER } from '../sandbox/mount-table.js';
import type { Isolation } from '../sandbox/sandbox.js';
import type { Conversion } from './conversion-needed.js';
import { containedCommand, type ConverterLimits } from './find-office.js';
import { writeOfficeProfile } from './office-profile.js';

/** One file to convert. */
export interface ConversionRequest {
  /** The program of LibreOffice. */
  program: string;
  path: string;
  conversion: Conversion;
  /** Existing directory; a folder is made in it for the time of the call. */
  workDirectory: string;
  deadlineMs: number;
  limits: ConverterLimits;
  isolation: Isolation;
  signal?: AbortSignal;
}

/** LibreOffice ends with these when it wants to be started again with the profile that it has just filled. */
const START_AGAIN = new Set([79, 81]);
const MAX_STARTS = 3;

/**
 * Converts a file with LibreOffice and hands the new one to `use`; it is removed afterwards. The program runs with a
 * profile of its own, without macros and network, limited, in a sandbox if there is one, and is ended with everything it started when the time is over.
 * Rejects with `PARSER_TIMEOUT`, `MALFORMED` for a file that LibreOffice cannot read, and the signal's reason.
 */
export async function withConverted<T>(request: ConversionRequest, use: (path: string) => Promise<T>): Promise<T> {
  const exchange = await Exchange.open(request.workDirectory);
  try {
    return await use(await convert(request, exchange));
  } finally {
    await exchange.remove();
  }
}

/** Folders of an exchange as the program names them. */
interface SeenFolders {
  input: string;
  output: string;
  temporary: string;
}

async function convert(request: ConversionRequest, exchange: Exchange): Promise<string> {
  const { from, to } = request.conversion;
  const results = join(exchange.output, 'output');
  await mkdir(results);
  await writeOfficeProfile(join(exchange.output, 'profile'));
  // LibreOffice follows the extension, and a stored file has none.
  const inputName = `input.${from}`;
  await exchange.give(request.path, inputName);
  const { isolation } = request;
  if (isolation.kind === 'namespaces') await isolation.sandbox.furnish(exchange);
  const containment = isolation.kind === 'namespaces' ? { sandbox: isolation.sandbox, exchange } : undefined;
  const seen = seenFolders(exchange, isolation);
  const program = [request.program, ...officeArguments(seen, inputName, to)];
  const command = await containedCommand(program, request.limits, containment);
  const end = performance.now() + request.deadlineMs;
  for (let start = 1; start <= MAX_STARTS; start += 1) {
    const exitCode = await run(command, seen, end - performance.now(), request.signal);
    if (exitCode === null || !START_AGAIN.has(exitCode)) break;
  }
  for (const name of await readdir(results)) {
    // What the program wrote is not trusted: a link could lead to a file that it cannot read itself.
    if ((await lstat(join(results, name))).isFile()) return join(results, name);
  }
  throw new ParseError(
    'MALFORMED',
    `LibreOffice could not read the .${from} file: it is damaged, too large or protected. Save it as .${to} and upload that.`,
  );
}

function seenFolders(exchange: Exchange, isolation: Isolation): SeenFolders {
  const { input, output } = exchange;
  if (isolation.kind === 'limits') return { input, output, temporary: output };
  return { input: INPUT_FOLDER, output: OUTPUT_FOLDER, temporary: TEMPORARY_FOLDER };
}

function officeArguments({ input, output }: SeenFolders, inputName: string, to: string): string[] {
  return [
    '--headless',
    '--norestore',
    '--nologo',
    '--nodefault',
    '--nolockcheck',
    `-env:UserInstallation=${pathToFileURL(join(output, 'profile')).href}`,
    '--convert-to',
    to,
    '--outdir',
    join(output, 'output'),
    join(input, inputName),
  ];
}

/** Runs a program in a process group of its own; the exit code, null when a signal ended it. */
async function run(
  command: readonly string[],
  { output, temporary }: SeenFolders,
  deadlineMs: number,
  signal: AbortSignal | undefined,
): Promise<number | null> {
  signal?.throwIfAborted();
  const [file, ...args] = command;
  const env = { HOME: output, TMPDIR: temporary, PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', SAL_USE_VCLPLUGIN: 'svp' };
  const child = spawn(file!, args, { env, cwd: '/', detached: true, stdio: 'ignore' });
  giveWay(child.pid);
  return new Promise((resolve, reject) => {
    const killAll = (): void => {
      if (child.pid !== undefined) killGroup(child.pid);
    };
    let timedOut = false;
    const timer = setTimeout(
      () => {
        timedOut = true;
        killAll();
      },
      Math.max(deadlineMs, 0),
    );
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', killAll);
    };
    signal?.addEventListener('abort', killAll, { once: true });
    child.once('error', (error) => {
      settle();
      reject(new ParseError('PARSER_CRASHED', `LibreOffice could not be started: ${error.message}.`));
    });
    child.once('exit', (code) => {
      settle();
      // Whatever it started must not outlive it.
      killAll();
      if (signal?.aborted === true) reject(signal.reason as Error);
      else if (timedOut) reject(tooSlow());
      else resolve(code);
    });
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // Gone already.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function tooSlow(): ParseError {
  return new ParseError(
    'PARSER_TIMEOUT',
    'The old Office file took too long to convert; save it in the current format and upload that.',
  );
}
