import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ParseError } from '../parse-error.js';
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
  signal?: AbortSignal;
}

/** LibreOffice ends with these when it wants to be started again with the profile that it has just filled. */
const START_AGAIN = new Set([79, 81]);
const MAX_STARTS = 3;

/**
 * Converts a file with LibreOffice and hands the new one to `use`; it is removed afterwards. The program runs with a
 * profile of its own, without macros and network, limited, and is ended with everything it started when the time is over.
 * Rejects with `PARSER_TIMEOUT`, `MALFORMED` for a file that LibreOffice cannot read, and the signal's reason.
 */
export async function withConverted<T>(request: ConversionRequest, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(request.workDirectory, 'convert-'));
  try {
    return await use(await convert(request, folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function convert(request: ConversionRequest, folder: string): Promise<string> {
  const { from, to } = request.conversion;
  const input = join(folder, `input.${from}`);
  const output = join(folder, 'output');
  const profile = join(folder, 'profile');
  await mkdir(output);
  await writeOfficeProfile(profile);
  // LibreOffice goes by the extension, and a stored file has none.
  await symlink(request.path, input);
  const args = [
    '--headless',
    '--norestore',
    '--nologo',
    '--nodefault',
    '--nolockcheck',
    `-env:UserInstallation=${pathToFileURL(profile).href}`,
    '--convert-to',
    to,
    '--outdir',
    output,
    input,
  ];
  const command = [...(await containedCommand(request.limits)), request.program, ...args];
  const end = Date.now() + request.deadlineMs;
  for (let start = 1; start <= MAX_STARTS; start += 1) {
    const exitCode = await run(command, folder, end - Date.now(), request.signal);
    if (exitCode === null || !START_AGAIN.has(exitCode)) break;
  }
  const [name] = await readdir(output);
  if (name !== undefined) return join(output, name);
  throw new ParseError(
    'MALFORMED',
    `LibreOffice could not read the .${from} file: it is damaged, too large or protected. Save it as .${to} and upload that.`,
  );
}

/** Runs a program in a process group of its own; the exit code, null when a signal ended it. */
async function run(
  command: readonly string[],
  home: string,
  deadlineMs: number,
  signal: AbortSignal | undefined,
): Promise<number | null> {
  signal?.throwIfAborted();
  const [file, ...args] = command;
  const env = { HOME: home, TMPDIR: home, PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', SAL_USE_VCLPLUGIN: 'svp' };
  const child = spawn(file!, args, { env, cwd: home, detached: true, stdio: 'ignore' });
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
    'The old Office file took too long to convert; save it in the present format and upload that.',
  );
}
