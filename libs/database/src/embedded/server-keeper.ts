import { delay } from '#libs/common';
import { isAlive } from '#libs/process-lock';
import { removeStalePidFile } from './cluster-files.js';
import { clusterOf } from './data-location.js';
import { startPostmaster, stopPostmaster, type PostmasterSetup, type StartedPostmaster } from './postmaster.js';
import { readPostmasterPid } from './postmaster-pid.js';

const WATCH_MS = 300;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Keeps a server running while its service lives: one that died (killed, out of memory) is started again on the same port, so
 * that every connection pool finds it. What it had committed is replayed from its log.
 */
export class ServerKeeper {
  private stopped = false;
  private wake: () => void = () => undefined;
  private readonly watching: Promise<void>;
  private readonly setup: PostmasterSetup;
  private server: StartedPostmaster;

  constructor(setup: PostmasterSetup, server: StartedPostmaster) {
    this.setup = setup;
    this.server = server;
    this.watching = this.watch();
  }

  /** The process that serves now. */
  get pid(): number {
    return this.server.identity.pid;
  }

  /** Stops watching, then the server. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.wake();
    await this.watching;
    await stopPostmaster(this.server.identity);
  }

  private async watch(): Promise<void> {
    while (!this.stopped) {
      await this.pause(WATCH_MS);
      if (this.stopped || (await isAlive(this.server.identity))) continue;
      this.setup.log('embedded_postgres.died', { serverPid: this.pid });
      await this.startAgain();
    }
  }

  /** Tries until it succeeds: what the dead server left may need some seconds to go, and a full disk may be emptied. */
  private async startAgain(): Promise<void> {
    const began = performance.now();
    for (let pause = FIRST_PAUSE_MS; !this.stopped; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
      try {
        const cluster = clusterOf(this.setup.home);
        if ((await readPostmasterPid(cluster)) !== undefined) await removeStalePidFile(cluster);
        this.server = await startPostmaster(this.setup, this.server.port);
        this.setup.log('embedded_postgres.restarted', {
          serverPid: this.pid,
          ms: Math.round(performance.now() - began),
        });
        return;
      } catch (error) {
        this.setup.log('embedded_postgres.restart_failed', { reason: String(error), again_in_ms: pause });
        await this.pause(pause);
      }
    }
  }

  private async pause(ms: number): Promise<void> {
    const asked = new Promise<void>((resolve) => {
      this.wake = resolve;
    });
    await Promise.race([asked, delay(ms)]);
  }
}
