import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Containment } from '../pool/child-command.js';

const OFFICE_PATHS = [
  '/usr/bin/soffice',
  '/usr/bin/libreoffice',
  '/usr/lib/libreoffice/program/soffice',
  '/usr/lib64/libreoffice/program/soffice',
  '/opt/libreoffice/program/soffice',
  '/usr/local/bin/soffice',
  '/Applications/LibreOffice.app/Contents/MacOS/soffice',
];
const PRLIMIT = '/usr/bin/prlimit';
const UNSHARE = '/usr/bin/unshare';
const SETPRIV = '/usr/bin/setpriv';

/** Limits of a converter process. */
export interface ConverterLimits {
  memoryBytes: number;
  cpuSeconds: number;
  /** Longest file that it may write. */
  fileBytes: number;
}

/** The program of LibreOffice itself, looked for in fixed places; null where there is none. */
export function findOffice(): string | null {
  const found = OFFICE_PATHS.find((path) => existsSync(path));
  if (found === undefined) return null;
  // The usual name is a script that starts this program; started directly it is the process that we limit and end.
  const program = join(dirname(realpathSync(found)), 'soffice.bin');
  return existsSync(program) ? program : found;
}

/** The folder that holds everything that the program needs of its own. */
export function officeFolder(program: string): string {
  const folder = dirname(program);
  return basename(folder) === 'program' ? dirname(folder) : folder;
}

let networkless: Promise<readonly string[]> | undefined;

/** The command line of a program without a network, bound to our life, and limited; in its sandbox, or as far as this machine allows. */
export async function containedCommand(
  program: readonly string[],
  limits: ConverterLimits,
  containment?: Containment,
): Promise<readonly string[]> {
  const { sandbox, exchange } = containment ?? {};
  if (sandbox !== undefined) return [...limiting(limits), ...sandbox.command(exchange!, program)];
  networkless ??= findNetworkless();
  return [...(await networkless), ...limiting(limits), ...program];
}

function limiting({ memoryBytes, cpuSeconds, fileBytes }: ConverterLimits): string[] {
  const command: string[] = [];
  if (existsSync(SETPRIV)) command.push(SETPRIV, '--pdeathsig', 'KILL', '--');
  if (existsSync(PRLIMIT)) {
    command.push(PRLIMIT, `--data=${memoryBytes}`, `--cpu=${cpuSeconds}:${cpuSeconds + 5}`, `--fsize=${fileBytes}`);
    command.push('--nofile=512', '--core=0', '--');
  }
  return command;
}

/** A network of its own, which is empty; needs a right that containers often take away. */
async function findNetworkless(): Promise<readonly string[]> {
  if (!existsSync(UNSHARE)) return [];
  for (const options of [['--net'], ['--map-root-user', '--net']]) {
    if (await runs(UNSHARE, [...options, '--', '/bin/true'])) return [UNSHARE, ...options, '--'];
  }
  return [];
}

/** Whether a program ends well; one that is not there or not allowed does not. */
function runs(file: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(file, args, { env: {}, timeout: 5000 }, (error) => resolve(error === null));
  });
}
