import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Exchange } from './exchange.js';
import { INPUT_FOLDER, mountTable, OUTPUT_FOLDER, TEMPORARY_FOLDER } from './mount-table.js';
import { isWithin, visiblePaths, type VisiblePath } from './visible-paths.js';

const UNSHARE_PATHS = ['/usr/bin/unshare', '/bin/unshare', '/usr/local/bin/unshare'];
const SHELL = '/bin/sh';
/** A busy machine may take its time; a start that hangs must not keep the service from parsing. */
const PROBE_DEADLINE_MS = 15_000;
/** With a user namespace no privilege is needed; the superuser of a machine that has none can do without. */
const USER_OPTIONS = [['--user', '--map-root-user'], []] as const;
const NAMESPACES = ['--net', '--mount', '--pid', '--ipc', '--fork', '--kill-child'] as const;

/**
 * Runs in the new namespaces; $1 is the future root, $2 the mounts, the rest the program. It stays as the first process, so that
 * all others end with it, and ends with the status of the program, which has none of its rights. Where a fresh /proc is not
 * allowed there is none.
 */
const SETUP = `
set -eu
PATH=/usr/sbin:/usr/bin:/sbin:/bin
root=$1 table=$2
shift 2
mount --all --fstab "$table"
mount -t proc -o ro,nosuid,nodev,noexec proc "$root/proc" 2>/dev/null || :
cd "$root"
pivot_root . old
umount --lazy /old
unset PWD OLDPWD
setpriv --bounding-set=-all --inh-caps=-all --no-new-privs -- "$@"
exit $?`;

/** Processes between the one that is started and the program: `unshare` and the shell. */
export const SANDBOX_GENERATIONS = 2;

/** What a sandbox hides and shows besides the system and the parsers. */
export interface SandboxOptions {
  /** Folder for exchange folders. */
  readonly workFolder: string;
  readonly hidden: readonly string[];
  readonly programFolders: readonly string[];
}

/** How parsers are kept apart from the service: in namespaces of their own, or by limits alone and why. */
export type Isolation =
  { readonly kind: 'namespaces'; readonly sandbox: Sandbox } | { readonly kind: 'limits'; readonly reason: string };

/**
 * Starts programs in user, mount, network, process and IPC namespaces of their own: they see the system's programs and
 * libraries, the packages and two folders of an exchange, and nothing else: no other file, process or network.
 */
export class Sandbox {
  private readonly start: readonly string[];
  private readonly visible: readonly VisiblePath[];

  private constructor(start: readonly string[], visible: readonly VisiblePath[]) {
    this.start = start;
    this.visible = visible;
  }

  /** Tries once whether this machine allows it, by starting Node in it. */
  static async open(options: SandboxOptions): Promise<Isolation> {
    const unshare = UNSHARE_PATHS.find((path) => existsSync(path));
    if (process.platform !== 'linux' || unshare === undefined) {
      return { kind: 'limits', reason: 'the program unshare of util-linux is missing' };
    }
    const visible = visiblePaths(options.hidden, options.programFolders);
    let reason = '';
    for (const userOptions of USER_OPTIONS) {
      const sandbox = new Sandbox([unshare, ...userOptions, ...NAMESPACES], visible);
      const problem = await sandbox.probe(options);
      if (problem === undefined) return { kind: 'namespaces', sandbox };
      reason ||= problem;
    }
    return { kind: 'limits', reason };
  }

  /** Makes the places of an exchange folder that the file system of its sandbox is put together at. */
  async furnish(exchange: Exchange): Promise<void> {
    const root = rootOf(exchange);
    for (const folder of ['/proc', '/old', INPUT_FOLDER, OUTPUT_FOLDER, TEMPORARY_FOLDER]) {
      await mkdir(root + folder, { recursive: true });
    }
    for (const entry of this.visible) {
      const place = root + entry.path;
      await mkdir(entry.kind === 'folder' ? place : dirname(place), { recursive: true });
      if (entry.kind === 'link') await symlink(entry.target, place);
      else if (entry.kind !== 'folder') await writeFile(place, '');
    }
    await this.nameTemporaryFolder(root);
    const { input, output } = exchange;
    await writeFile(tableOf(exchange), mountTable({ root, visible: this.visible, input, output }), { mode: 0o600 });
  }

  /** Programs look for it in two places; one of them may hold something that is shown, a project in `/tmp` for instance. */
  private async nameTemporaryFolder(root: string): Promise<void> {
    for (const name of ['/tmp', '/var/tmp']) {
      if (this.visible.some(({ path }) => isWithin(path, name))) continue;
      await mkdir(dirname(root + name), { recursive: true });
      await symlink(TEMPORARY_FOLDER, root + name);
    }
  }

  /** The command line that starts a program in the sandbox of a furnished exchange folder. */
  command(exchange: Exchange, program: readonly string[]): string[] {
    return [...this.start, '--', SHELL, '-c', SETUP, 'sandbox', rootOf(exchange), tableOf(exchange), ...program];
  }

  /** Why it does not work here; undefined when it does. */
  private async probe({ workFolder, hidden }: SandboxOptions): Promise<string | undefined> {
    const exchange = await Exchange.open(workFolder);
    try {
      await this.furnish(exchange);
      const check = `process.exit(${JSON.stringify(hidden)}.some((path) => fs.existsSync(path)) ? 3 : 0)`;
      return await problemOf(this.command(exchange, [process.execPath, '-e', check]));
    } finally {
      await exchange.remove();
    }
  }
}

function rootOf({ folder }: Exchange): string {
  return join(folder, 'root');
}

function tableOf({ folder }: Exchange): string {
  return join(folder, 'fstab');
}

/** The last thing that a failing program says; undefined for one that ends well. */
function problemOf([file, ...args]: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { env: {}, cwd: '/', timeout: PROBE_DEADLINE_MS, killSignal: 'SIGKILL' as const };
    execFile(file!, args, options, (error, _output, errors) => {
      if (error === null) return resolve(undefined);
      const said = errors.trim().split('\n').at(-1);
      if (error.killed === true) return resolve(`no sandbox within ${PROBE_DEADLINE_MS} ms`);
      resolve(said === undefined || said === '' ? `the sandbox ended with ${error.code ?? error.signal}` : said);
    });
  });
}
