/**
 * The built service as a process of its own with data of its own: for the demo, the benchmark and the e2e specs. Imports
 * nothing of the project and uses no syntax that needs compiling, so plain Node runs it as it is.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ENTRY = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));
/** As `npm start` has them. */
const NODE_OPTIONS = ['--max-semi-space-size=16'];
const ALLOCATOR = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };
const KEPT_LOG_LINES = 5_000;
const POLL_MS = 20;
/** More than the service takes at most: SHUTDOWN_DRAIN_SECONDS for requests (20), and 40 until its database server has stopped on a busy disk. */
const STOP_MS = 75_000;
const READY_MS = 120_000;
const ADDRESS = /^Knowledge-base service: (http\S+)$/;
const GENERATED_PASSWORD = /^Password \(shown once\): +(\S+)$/;
/** A worker has no address: it says this instead. */
const WORKER_READY = 'Knowledge-base worker: ready';

/**
 * Waits for the end of its standard input, which comes whatever way the owner dies, and then removes what is left: $1 is the
 * folder, the last line read is the process group of the service (empty: none). "done" says that nothing is left.
 */
const GUARD = `
  group=
  while IFS= read -r line; do
    if [ "$line" = done ]; then exit 0; fi
    group=$line
  done
  if [ -n "$group" ]; then kill -KILL "-$group"; fi
  server=$(head -n 1 "$1/data/postgres/cluster/postmaster.pid")
  if [ -n "$server" ] && { tr '\\0' ' ' <"/proc/$server/cmdline" || ps -o args= -p "$server"; } | grep -qF "$1"; then
    kill -QUIT "$server"
    sleep 1
  fi
  rm -rf "$1"`;

export interface ServiceOptions {
  /** Settings besides the defaults here (RATE_LIMITS=off, a free port, a data folder, a password for the first administrator). */
  readonly settings?: Readonly<Record<string, string>>;
  /** How long the start may take until /health/ready answers 200. */
  readonly readyWithinMs?: number;
  /** The built `main.js` to run instead of this checkout's. */
  readonly entry?: string;
  /** Folders of packages, by their names, that are installed in its working directory: for PLUGINS. */
  readonly packages?: Readonly<Record<string, string>>;
  /** A folder whose content the data folder begins with, owners and modes included. */
  readonly dataFrom?: string;
  /** Modules that Node loads before the service, as absolute paths. */
  readonly preload?: readonly string[];
}

/** Settings with which a service does not use the embedded database of its own data folder, or not with the usual roles. */
const OTHER_DATABASE = ['DATABASE_URL', 'DATABASE_ROLE_PREFIX', 'DATA_DIR'];

/** Whether a service of this checkout uses the database of its own data folder, which may then begin with a copy of a migrated one. */
export function usesOwnDatabase({ entry, settings = {} }: ServiceOptions): boolean {
  return entry === undefined && OTHER_DATABASE.every((name) => settings[name] === undefined);
}

/**
 * What services begin with that a script starts without saying so, from the environment of the script: SERVICE_DATA_FROM is `dataFrom`, and
 * SERVICE_PRELOAD a module of `preload`. A run in which no figure counts is quicker with them.
 */
function withGiven(options: ServiceOptions): ServiceOptions {
  const { SERVICE_DATA_FROM: data, SERVICE_PRELOAD: module } = process.env;
  // Data that exist have an administrator of their own.
  const namesAdministrator = options.settings?.['BOOTSTRAP_ADMIN_PASSWORD'] !== undefined;
  if (!usesOwnDatabase(options) || namesAdministrator) return options;
  return {
    ...(data === undefined ? {} : { dataFrom: data }),
    ...(module === undefined ? {} : { preload: [module] }),
    ...options,
  };
}

export interface Administrator {
  readonly email: string;
  readonly password: string;
}

/** One service with a temporary data folder. `dispose` must be called; when the owner dies without it, a guard cleans up. */
export class ServiceProcess {
  private administrator: Administrator;
  /** Temporary folder; `data` in it is the service's DATA_DIR. */
  readonly folder: string;
  /** The built `main.js` that the next start runs. */
  entry: string;
  private options: ServiceOptions;
  private readonly guard: ChildProcess;
  private readonly lines: string[] = [];
  private child: ChildProcess | undefined;
  private address: string | undefined;
  private hasWorker = false;

  private constructor(folder: string, options: ServiceOptions) {
    this.folder = folder;
    this.options = options;
    this.entry = options.entry ?? ENTRY;
    this.administrator = { email: 'admin@example.com', password: randomBytes(12).toString('base64url') };
    this.guard = spawn('sh', ['-c', GUARD, 'service-guard', folder], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.guard.unref();
    (this.guard.stdin as unknown as { unref(): void }).unref();
  }

  /** Starts the built service and resolves when it is ready. Throws with the end of its log when it does not get ready. */
  static async start(asked: ServiceOptions = {}): Promise<ServiceProcess> {
    const options = withGiven(asked);
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'knowledge-base-')));
    // Under root PostgreSQL runs as another user, which must be able to walk through, or the data would be moved elsewhere.
    await chmod(folder, 0o711);
    await mkdir(join(folder, 'data'));
    await chmod(join(folder, 'data'), 0o711);
    for (const [name, source] of Object.entries(options.packages ?? {})) {
      await cp(source, join(folder, 'node_modules', name), { recursive: true });
    }
    const service = new ServiceProcess(folder, options);
    try {
      await service.bring(options.dataFrom);
      await service.start();
    } catch (error) {
      await service.dispose();
      throw error;
    }
    return service;
  }

  /** Base address with its prefix, `http://127.0.0.1:41234/api/v1`. It stays the same over restarts. */
  get url(): string {
    if (this.address === undefined) throw new Error('The service has not been started.');
    return this.address;
  }

  /** The first administrator; with a generated password where the settings give an empty one. */
  get admin(): Administrator {
    return this.administrator;
  }

  /** Process id of the service itself. */
  get pid(): number {
    if (this.child?.pid === undefined || !this.isRunning) throw new Error('The service is not running.');
    return this.child.pid;
  }

  get isRunning(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Starts it again on the same data and port. Resolves when it is ready. */
  async start(): Promise<void> {
    if (this.isRunning) throw new Error('The service is running already.');
    const child = this.launch();
    const deadline = Date.now() + (this.options.readyWithinMs ?? READY_MS);
    while (!(await this.isReady())) {
      if (!this.isRunning || this.child !== child)
        throw new Error(`The service ended while it started.\n${this.logTail()}`);
      if (Date.now() > deadline) throw new Error(`The service did not get ready.\n${this.logTail()}`);
      await wait(POLL_MS);
    }
  }

  /** Stops it in order; its data stay. Throws when it does not end by itself or ends with an error. */
  async stop(): Promise<void> {
    if (!this.isRunning) return;
    const child = this.child!;
    await this.kill('SIGTERM');
    const code = child.exitCode;
    if (code !== 0) throw new Error(`The service did not stop in order (exit code ${code}).\n${this.logTail()}`);
  }

  /** Sends a signal to the service itself, not to its children, and resolves when it has ended (after 75 s by SIGKILL). */
  async kill(signal: NodeJS.Signals): Promise<void> {
    if (!this.isRunning) return;
    const child = this.child!;
    const ended = once(child, 'exit');
    child.kill(signal);
    const forced = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(forced);
  }

  /** Settings of the next start, besides those that it has. */
  change(settings: Readonly<Record<string, string>>): void {
    this.options = { ...this.options, settings: { ...this.options.settings, ...settings } };
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /**
   * Ends every process of the service and removes its folder: at once where its database is known, else the service ends its database itself.
   * Never throws for a service that is gone already.
   */
  async dispose(): Promise<void> {
    await this.kill(existsSync(join(this.folder, 'data/postgres/cluster')) ? 'SIGKILL' : 'SIGTERM');
    await this.endLeftovers();
    // A process that is killed may still end a write for a moment.
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    if (this.guard.exitCode !== null) return;
    const ended = once(this.guard, 'exit');
    this.guard.ref();
    this.guard.stdin!.end('done\n');
    await ended;
  }

  /** The last lines that the service wrote, oldest first. */
  logTail(count = 40): string {
    return this.lines.slice(-count).join('\n');
  }

  /** Everything that it wrote and that is kept (the last 5,000 lines). */
  get log(): readonly string[] {
    return this.lines;
  }

  /** The service itself and its database server: every other process of it descends from these. */
  async rootPids(): Promise<readonly number[]> {
    const server = await this.postmaster();
    return server === undefined ? [this.pid] : [this.pid, server];
  }

  private async bring(source: string | undefined): Promise<void> {
    const paths = source === undefined ? [] : (await readdir(source)).map((name) => join(source, name));
    if (paths.length > 0) await run('cp', ['-a', ...paths, join(this.folder, 'data')]);
  }

  private launch(): ChildProcess {
    const preloaded = (this.options.preload ?? []).flatMap((path) => ['--import', path]);
    const child = spawn(process.execPath, [...NODE_OPTIONS, ...preloaded, this.entry], {
      cwd: this.folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'] ?? '',
        ...ALLOCATOR,
        DATA_DIR: join(this.folder, 'data'),
        PORT: this.address === undefined ? '0' : new URL(this.address).port,
        RATE_LIMITS: 'off',
        BOOTSTRAP_ADMIN_EMAIL: this.admin.email,
        BOOTSTRAP_ADMIN_PASSWORD: this.admin.password,
        ...this.options.settings,
      },
    });
    this.child = child;
    this.hasWorker = false;
    this.guard.stdin!.write(`${child.pid ?? ''}\n`);
    child.once('exit', () => this.guard.stdin!.write('\n'));
    child.once('error', (error) => this.keep(`The service could not be started: ${error.message}`));
    for (const output of [child.stdout, child.stderr])
      createInterface({ input: output }).on('line', (line) => this.keep(line));
    return child;
  }

  private keep(line: string): void {
    this.lines.push(line);
    if (this.lines.length > KEPT_LOG_LINES) this.lines.splice(0, this.lines.length - KEPT_LOG_LINES);
    this.address = ADDRESS.exec(line)?.[1] ?? this.address;
    const password = GENERATED_PASSWORD.exec(line)?.[1];
    if (password !== undefined) this.administrator = { ...this.administrator, password };
    this.hasWorker ||= line === WORKER_READY;
  }

  private async isReady(): Promise<boolean> {
    if (this.options.settings?.['ROLE'] === 'worker') return this.hasWorker;
    if (this.address === undefined) return false;
    try {
      const answer = await fetch(`${this.address}/health/ready`, { signal: AbortSignal.timeout(5_000) });
      await answer.body?.cancel();
      return answer.status === 200;
    } catch {
      // No one listens yet.
      return false;
    }
  }

  /** What a killed service leaves behind: parser children of its group, and its database server. */
  private async endLeftovers(): Promise<void> {
    if (this.child?.pid !== undefined) sendSignal(-this.child.pid, 'SIGKILL');
    for (const how of ['SIGQUIT', 'SIGKILL'] as const) {
      const server = await this.postmaster();
      if (server === undefined) return;
      sendSignal(server, how);
      for (const end = Date.now() + 10_000; Date.now() < end && (await this.postmaster()) === server;)
        await wait(POLL_MS);
    }
  }

  /** Process id of the database server of this folder, if it runs. */
  private async postmaster(): Promise<number | undefined> {
    const text = await readIfThere(join(this.folder, 'data/postgres/cluster/postmaster.pid'));
    const pid = Number(text?.split('\n', 1)[0]);
    if (!Number.isInteger(pid) || pid <= 1) return undefined;
    const command = await readIfThere(`/proc/${pid}/cmdline`);
    const isOurs = process.platform === 'linux' ? command?.includes(this.folder) === true : sendSignal(pid, 0);
    return isOurs ? pid : undefined;
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** False when there is no such process any more. */
function sendSignal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** Undefined when the file, or the process that it speaks of, is gone. */
async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
