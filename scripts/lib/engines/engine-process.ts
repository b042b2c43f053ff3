/** A real Elasticsearch or OpenSearch of one's own on the loopback address, for tests and development. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { installEngine, type InstalledEngine } from '#engines/installation';
import { isRoot, UNPRIVILEGED } from '#engines/machine';
import { ENGINE_RELEASES, type EngineKind } from '#engines/releases';
import {
  configure,
  freePort,
  makeRunFolder,
  rememberProcess,
  stopLeftovers,
  type RunSettings,
} from '#engines/run-folder';

export { EngineUnavailable, ENGINE_KINDS, ENGINE_RELEASES, type EngineKind } from '#engines/releases';

/** Some ten seconds on a machine that is free. */
const READY_MS = 300_000;
const STOP_MS = 10_000;
const POLL_MS = 200;
const ANSWER_MS = 5_000;

/** Waits for the end of its standard input, which comes whatever way the owner dies; then ends the group and removes $1. */
const GUARD = `
  group=
  while IFS= read -r line; do
    if [ "$line" = done ]; then exit 0; fi
    group=$line
  done
  if [ -n "$group" ]; then kill -KILL "-$group"; fi
  sleep 1
  rm -rf "$1"`;

export interface EngineOptions {
  /** Undefined, or taken: a free one. */
  readonly port?: number;
  readonly heapMegabytes?: number;
  readonly compiler?: RunSettings['compiler'];
  /** Keeps the index there over runs; undefined: it goes with the engine. */
  readonly dataFolder?: string;
}

/** One server. `dispose` must be called; when the owner dies without it, a guard ends the server. */
export class EngineProcess {
  readonly kind: EngineKind;
  readonly version: string;
  /** `http://127.0.0.1:41234`; stays the same over restarts. */
  readonly url: string;
  private readonly installed: InstalledEngine;
  private readonly folder: string;
  private readonly settings: Omit<RunSettings, 'transportPort'>;
  private readonly guard: ChildProcess;
  private child: ChildProcess | undefined;

  constructor(installed: InstalledEngine, folder: string, settings: Omit<RunSettings, 'transportPort'>) {
    this.kind = installed.kind;
    this.version = installed.version;
    this.url = `http://127.0.0.1:${settings.httpPort}`;
    this.installed = installed;
    this.folder = folder;
    this.settings = settings;
    this.guard = spawn('sh', ['-c', GUARD, 'engine-guard', folder], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.guard.unref();
    (this.guard.stdin as unknown as { unref(): void }).unref();
  }

  get isRunning(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Process id and process group of the server. */
  get pid(): number {
    if (this.child?.pid === undefined || !this.isRunning) throw new Error(`${this.kind} is not running.`);
    return this.child.pid;
  }

  /** Starts it on the data that are there and resolves when it answers. Throws with the end of its log when it does not. */
  async start(): Promise<void> {
    if (this.isRunning) throw new Error(`${this.kind} is running already.`);
    const child = await this.launch();
    const deadline = Date.now() + READY_MS;
    while (!(await this.isReady())) {
      if (!this.isRunning || this.child !== child) throw new Error(`${this.kind} ended.\n${await this.logTail()}`);
      if (Date.now() > deadline) throw new Error(`${this.kind} did not get ready.\n${await this.logTail()}`);
      await wait(POLL_MS);
    }
  }

  /** Sends a signal to all its processes and resolves when it has ended (after 10 s by SIGKILL). Its data stay. */
  async kill(signal: NodeJS.Signals): Promise<void> {
    if (!this.isRunning) return;
    const child = this.child!;
    const ended = once(child, 'exit');
    process.kill(-child.pid!, signal);
    const forced = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(forced);
  }

  /** Ends it in order and starts it on the same data and address. */
  async restart(): Promise<void> {
    await this.kill('SIGTERM');
    await this.start();
  }

  /** Stops its processes where they are: connections stay open and nothing answers, until `resume`. */
  pause(): void {
    process.kill(-this.pid, 'SIGSTOP');
  }

  resume(): void {
    process.kill(-this.pid, 'SIGCONT');
  }

  /** One call of its HTTP interface, for what tests arrange and look at. Throws unless the answer is 2xx. */
  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(`${this.url}${path}`, {
      method,
      signal: AbortSignal.timeout(30_000),
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  /** Ends it and removes its folder (not a `dataFolder`). */
  async dispose(): Promise<void> {
    if (this.isRunning) process.kill(-this.pid, 'SIGCONT');
    await this.kill('SIGTERM');
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10 });
    if (this.guard.exitCode !== null) return;
    const ended = once(this.guard, 'exit');
    this.guard.ref();
    this.guard.stdin!.end('done\n');
    await ended;
  }

  /** The last lines of what it wrote. */
  async logTail(count = 40): Promise<string> {
    return (await readFile(join(this.folder, 'console.log'), 'utf8')).split('\n').slice(-count).join('\n');
  }

  private async launch(): Promise<ChildProcess> {
    await configure(this.folder, this.kind, { ...this.settings, transportPort: await freePort() });
    const { prefix } = ENGINE_RELEASES[this.kind];
    const log = openSync(join(this.folder, 'console.log'), 'a');
    const child = spawn(join(this.installed.home, 'bin', this.kind), [], {
      cwd: this.folder,
      detached: true,
      stdio: ['ignore', log, log],
      ...(isRoot && { uid: UNPRIVILEGED, gid: UNPRIVILEGED }),
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: this.folder,
        [`${prefix}_JAVA_HOME`]: this.installed.java.home,
        [`${prefix}_PATH_CONF`]: join(this.folder, 'config'),
        [`${prefix}_TMPDIR`]: join(this.folder, 'tmp'),
      },
    });
    closeSync(log);
    this.child = child;
    await once(child, 'spawn');
    this.guard.stdin!.write(`${child.pid!}\n`);
    child.once('exit', () => this.guard.stdin!.write('\n'));
    await rememberProcess(this.folder, child.pid!);
    return child;
  }

  /** `GET /` would not do: this build of Elasticsearch answers 405 to it. */
  private async isReady(): Promise<boolean> {
    try {
      const url = `${this.url}/_cluster/health?wait_for_status=yellow&timeout=1s`;
      const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) });
      await answer.body?.cancel();
      return answer.status === 200;
    } catch {
      // No one listens yet.
      return false;
    }
  }
}

/**
 * Installs the engine when the cache lacks it, starts it and resolves when it answers. Throws EngineUnavailable when this
 * machine cannot carry it.
 */
export async function startEngine(kind: EngineKind, options: EngineOptions = {}): Promise<EngineProcess> {
  const installed = await installEngine(kind);
  await stopLeftovers();
  const folder = await makeRunFolder(kind);
  const engine = new EngineProcess(installed, folder, {
    httpPort: await freePort(options.port),
    heapMegabytes: options.heapMegabytes ?? 512,
    compiler: options.compiler ?? 'quick',
    dataFolder: options.dataFolder,
  });
  try {
    await engine.start();
  } catch (error) {
    await engine.dispose();
    throw error;
  }
  return engine;
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
