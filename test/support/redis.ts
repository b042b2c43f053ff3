import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '#testing/until';
import { freePort, listens } from './own-port.js';

export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

/** A real Redis with a password and a folder of its own. `dispose` must be called. */
export class RedisServer {
  readonly password = 'a-password-of-redis';
  private child: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {}

  /** Starts it, and resolves when it listens. */
  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await mkdtemp(join(tmpdir(), 'kb-redis-')), await freePort());
    server.launch();
    await until(() => listens(server.port), { what: 'Redis' });
    return server;
  }

  /** For `REDIS_URL`. */
  get url(): string {
    return `redis://:${this.password}@127.0.0.1:${this.port}`;
  }

  /** Starts it again on the same data, without waiting for it. */
  launch(): void {
    const where = ['--bind', '127.0.0.1', '--port', String(this.port), '--dir', this.folder];
    const what = ['--appendonly', 'yes', '--save', '', '--maxmemory-policy', 'noeviction'];
    this.child = spawn('redis-server', [...where, ...what, '--requirepass', this.password], { stdio: 'ignore' });
  }

  /** Ends it at once, as a crash does. */
  async kill(): Promise<void> {
    if (this.child === undefined || this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }

  /** Lets it hang: it takes connections and commands, and answers none. */
  pause(): void {
    this.child?.kill('SIGSTOP');
  }

  /** Lets it go on. */
  resume(): void {
    this.child?.kill('SIGCONT');
  }

  async dispose(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}
