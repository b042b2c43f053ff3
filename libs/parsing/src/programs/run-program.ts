import childProcess from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * Taken when this module is loaded: the child process loads it before it takes the start of programs away from everybody
 * else (`blockNetwork`). What is started here is a fixed program with fixed arguments; no document names either.
 */
const spawn = childProcess.spawn;

/** Bounds of one run. */
export interface ProgramRun {
  /** Written to its standard input. */
  input?: Uint8Array;
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** More output than this ends the program. */
  maxOutputBytes: number;
}

/** How a program ended. `exitCode` is null when it was ended by a bound or a signal. */
export interface ProgramResult {
  exitCode: number | null;
  output: Buffer;
}

const FOLDERS = ['/usr/bin', '/usr/local/bin', '/bin', '/opt/homebrew/bin', '/opt/local/bin'];
const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv'];

const running = new Set<childProcess.ChildProcess>();
process.on('exit', () => {
  for (const program of running) program.kill('SIGKILL');
});

/** The path of an installed program; looked for in fixed places, because the child has no environment. */
export function findProgram(name: string): string | undefined {
  return FOLDERS.map((folder) => `${folder}/${name}`).find((path) => existsSync(path));
}

/**
 * Runs a program under the limits of this process, which it inherits, and waits for its end. On Linux it dies with this
 * process, however that ends.
 */
export function runProgram(path: string, args: readonly string[], run: ProgramRun): Promise<ProgramResult> {
  const [file, ...rest] = [...dyingWithParent(), path, ...args] as [string, ...string[]];
  return new Promise((resolve, reject) => {
    const program = spawn(file, rest, { cwd: run.cwd ?? '/', env: { ...run.env }, stdio: ['pipe', 'pipe', 'ignore'] });
    running.add(program);
    const pieces: Buffer[] = [];
    let bytes = 0;
    const timer = setTimeout(() => program.kill('SIGKILL'), run.timeoutMs);
    program.stdout.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > run.maxOutputBytes) program.kill('SIGKILL');
      else pieces.push(piece);
    });
    // A program that ends early closes its input; how it ended is told by `close`.
    program.stdin.on('error', () => undefined);
    program.stdin.end(run.input);
    const finish = (): void => {
      clearTimeout(timer);
      running.delete(program);
    };
    program.on('error', (error) => {
      finish();
      reject(error);
    });
    program.on('close', (exitCode) => {
      finish();
      resolve({ exitCode, output: Buffer.concat(pieces) });
    });
  });
}

function dyingWithParent(): string[] {
  if (process.platform !== 'linux') return [];
  const setpriv = SETPRIV.find((path) => existsSync(path));
  return setpriv === undefined ? [] : [setpriv, '--pdeathsig', 'KILL', '--'];
}
