import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { until } from '#testing/until';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const READY_MS = 120_000;
const STOP_MS = 30_000;
const KEPT_LOG_LINES = 2_000;
const ADDRESS = /^Knowledge-base service: (http\S+)$/;

/**
 * Waits for the end of its standard input, which comes whatever way the owner dies, and then removes what is left: $1 is the
 * folder, the last line read is the process group of the service. "done" says that nothing is left.
 */
const GUARD = `
  group=
  while IFS= read -r line; do
    if [ "$line" = done ]; then exit 0; fi
    group=$line
  done
  if [ -n "$group" ]; then kill -KILL -- "-$group"; fi
  server=$(head -n 1 "$1/data/postgres/cluster/postmaster.pid")
  if [ -n "$server" ] && { tr '\\0' ' ' <"/proc/$server/cmdline" || ps -o args= -p "$server"; } | grep -qF "$1"; then
    kill -QUIT "$server"
    sleep 1
  fi
  rm -rf "$1"`;

/**
 * Whom SIGKILL hits: the service alone, everything that `npm start` started, or the service and its database server; with
 * `database` and `parsers` the service lives on without them.
 */
export type Victim = 'service' | 'group' | 'service and database' | 'database' | 'parsers';

/** The service as a user starts it, by `npm start`, with a data folder of its own that outlives every kill. */
export class NpmService {
  readonly admin = { email: 'admin@example.com', password: randomBytes(12).toString('base64url') };
  /** Temporary folder; removed by `dispose`. */
  readonly folder: string;
  private readonly settings: Readonly<Record<string, string>>;
  private readonly guard: ChildProcess;
  private npm: ChildProcess | undefined;
  /** Of the present launch. */
  private lines: string[] = [];
  private port = '0';

  private constructor(folder: string, settings: Readonly<Record<string, string>>) {
    this.folder = folder;
    this.settings = settings;
    const stdio = ['pipe', 'ignore', 'ignore'] as const;
    this.guard = spawn('sh', ['-c', GUARD, 'service-guard', folder], { detached: true, stdio: [...stdio] });
    this.guard.unref();
    (this.guard.stdin as unknown as { unref(): void }).unref();
  }

  /** Makes the folder; starts nothing yet. `settings` come on top of RATE_LIMITS=off and a free port. */
  static async create(settings: Readonly<Record<string, string>>): Promise<NpmService> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'knowledge-base-')));
    // Under root PostgreSQL runs as another user, which must be able to walk through, or the data would be moved elsewhere.
    for (const path of [folder, join(folder, 'data'), join(folder, 'tmp')]) {
      await mkdir(path, { recursive: true });
      await chmod(path, 0o711);
    }
    // Hashed vectors, unless a spec names a provider: the shipped model would take most of a crash spec's time.
    const model: Record<string, string> =
      settings['EMBEDDING_PROVIDER'] === undefined ? { EMBEDDING_MODEL: 'hashing-v1' } : {};
    return new NpmService(folder, { ...model, ...settings });
  }

  get dataDir(): string {
    return join(this.folder, 'data');
  }

  /** Base address with its prefix. It stays the same over restarts. */
  get url(): string {
    return `http://127.0.0.1:${this.port}/api/v1`;
  }

  /** What the present launch wrote so far. */
  get log(): readonly string[] {
    return this.lines;
  }

  /** Runs `npm start` and waits for nothing. */
  launch(): void {
    this.lines = [];
    const npm = spawn('npm', ['start', '--silent'], {
      cwd: ROOT,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: this.folder,
        TMPDIR: join(this.folder, 'tmp'),
        npm_config_update_notifier: 'false',
        DATABASE_URL: '',
        REDIS_URL: '',
        DATA_DIR: this.dataDir,
        PORT: this.port,
        RATE_LIMITS: 'off',
        BOOTSTRAP_ADMIN_EMAIL: this.admin.email,
        BOOTSTRAP_ADMIN_PASSWORD: this.admin.password,
        ...this.settings,
      },
    });
    this.npm = npm;
    this.guard.stdin!.write(`${npm.pid ?? ''}\n`);
    npm.once('error', (error) => this.keep(`npm could not be started: ${error.message}`));
    for (const output of [npm.stdout, npm.stderr]) {
      createInterface({ input: output }).on('line', (line) => this.keep(line));
    }
  }

  /** Waits until `isReached` of what the launch wrote; throws with the end of the log when the process ends first. */
  async untilLogged(isReached: (lines: readonly string[]) => boolean): Promise<void> {
    const look = (): boolean => {
      if (isReached(this.lines)) return true;
      if (!this.isRunning) throw new Error(`The service ended while it started.\n${this.logTail()}`);
      return false;
    };
    await this.inTime(until(look, { what: 'the log of the start', withinMs: READY_MS }));
  }

  /** Resolves when /health/ready answers 200. */
  async untilReady(): Promise<void> {
    await this.untilLogged((lines) => lines.some((line) => ADDRESS.test(line)));
    const look = async (): Promise<boolean> => (await statusOf(`${this.url}/health/ready`)) === 200;
    await this.inTime(until(look, { what: 'readiness', withinMs: READY_MS }));
  }

  /** With the end of the log, when it fails. */
  private async inTime(waiting: Promise<unknown>): Promise<void> {
    await waiting.catch((error: unknown) => {
      throw new Error(`${String(error)}\n${this.logTail()}`, { cause: error });
    });
  }

  async start(): Promise<void> {
    this.launch();
    await this.untilReady();
  }

  /** Sends SIGKILL and resolves when everything that `npm start` started has ended; throws when something outlives the service. */
  async kill(victim: Victim): Promise<void> {
    const { npm } = this;
    if (npm?.pid === undefined || !this.isRunning) throw new Error('The service is not running.');
    const pid = this.servicePid();
    if (victim === 'database') return this.killDatabase();
    if (victim === 'parsers') return this.killParsers(pid);
    if (victim === 'group' || pid === undefined) send(-npm.pid, 'SIGKILL');
    else send(pid, 'SIGKILL');
    if (victim === 'service and database') await this.killDatabase();
    await ended(npm);
    const group = -npm.pid;
    await until(() => !send(group, 0), { what: 'the end of all children of the killed service', withinMs: STOP_MS });
  }

  /** Stops it by SIGTERM to the service. Throws when it does not end by itself. */
  async stop(): Promise<void> {
    const { npm } = this;
    const pid = this.servicePid();
    if (npm === undefined || pid === undefined || !this.isRunning) return;
    send(pid, 'SIGTERM');
    const forced = setTimeout(() => send(-npm.pid!, 'SIGKILL'), STOP_MS);
    await ended(npm);
    clearTimeout(forced);
    if (npm.exitCode !== 0) throw new Error(`The service did not stop in order.\n${this.logTail()}`);
  }

  /** Ends every process and removes the folder. */
  async dispose(): Promise<void> {
    if (this.npm?.pid !== undefined && send(-this.npm.pid, 'SIGKILL')) await ended(this.npm);
    await this.killDatabase();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    this.guard.stdin!.end('done\n');
  }

  logTail(count = 40): string {
    return this.lines.slice(-count).join('\n');
  }

  get isRunning(): boolean {
    return this.npm !== undefined && this.npm.exitCode === null && this.npm.signalCode === null;
  }

  /** Process id of the process that listens: every line of its log names it. */
  private servicePid(): number | undefined {
    const line = this.lines.find((candidate) => candidate.startsWith('{'));
    return line === undefined ? undefined : (JSON.parse(line) as { pid: number }).pid;
  }

  /** Parser children of the service, as far as it has any at the moment. Linux only. */
  private async killParsers(servicePid: number | undefined): Promise<void> {
    for (const name of await readdir('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      const status = await readIfThere(`/proc/${name}/stat`);
      const parent = Number(status?.slice(status.lastIndexOf(')') + 2).split(' ')[1]);
      const command = await readIfThere(`/proc/${name}/cmdline`);
      if (parent === servicePid && command?.includes('parse-child') === true) send(Number(name), 'SIGKILL');
    }
  }

  private async killDatabase(): Promise<void> {
    const text = await readIfThere(join(this.dataDir, 'postgres/cluster/postmaster.pid'));
    const pid = Number(text?.split('\n', 1)[0] ?? 0);
    if (pid <= 1) return;
    const command = await readIfThere(`/proc/${pid}/cmdline`);
    if (process.platform === 'linux' && command?.includes(this.folder) !== true) return;
    await until(() => !send(pid, 'SIGKILL'), { what: 'the end of the killed database', withinMs: STOP_MS });
  }

  private keep(line: string): void {
    this.lines.push(line);
    if (this.lines.length > KEPT_LOG_LINES) this.lines.splice(1, this.lines.length - KEPT_LOG_LINES);
    const address = ADDRESS.exec(line)?.[1];
    if (address !== undefined) this.port = new URL(address).port;
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** False when there is no such process, or process group, any more. */
function send(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** Undefined when no one answers. */
async function statusOf(url: string): Promise<number | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    // No one listens yet.
    return undefined;
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
