import type { Redis } from 'ioredis';
import { reasonOf } from '#libs/common';
import { cacheErrors } from '../cache.errors.js';
import type { CacheOutage } from '../cache.port.js';

/** Milliseconds for one answer; a cache that is slower than this is no help. */
export const DEADLINE_MS = 500;
/** Milliseconds between two looks whether a server that was away is back. */
const LOOK_MS = 1_000;
/** After this many looks in vain a connection is given up for a new one: the way behind it may be gone without a word. */
const LOOKS_PER_CONNECTION = 5;
/** Seconds after which a caller may try again. */
const RETRY_AFTER = 5;
/** What a look writes, so that a server that takes no writes counts as away. */
const LOOK_KEY = 'look';

/** What the command itself is to blame for; whatever else a server refuses (full, loading, read-only, another password) is its own state. */
const FAULT_OF_COMMAND = /not an integer|would overflow|out of range|WRONGTYPE/;

/** Told of every change; must not throw. */
export interface LinkEvents {
  lost(outage: CacheOutage): void;
  restored(outage: CacheOutage): void;
}

/**
 * The way to Redis. After one command that found no answer in time no one waits for it any more until a look in the background found
 * it back.
 */
export class RedisLink {
  private present: CacheOutage | null = null;
  private timer: NodeJS.Timeout | undefined;
  private looks = 0;
  private isClosed = false;

  constructor(
    private readonly client: Redis,
    private readonly events: LinkEvents,
  ) {
    client.on('error', (error) => this.lose(error));
  }

  /** Since when and why the server is away; null while it answers. */
  get outage(): CacheOutage | null {
    return this.present;
  }

  /** The answer to a command. @throws `cache.unavailable`; the server's error when the command is to blame */
  async ask<T>(command: () => Promise<T>): Promise<T> {
    if (this.present !== null) throw unavailable(this.present.reason);
    try {
      return await inTime(command());
    } catch (error) {
      if (error instanceof Error && error.name === 'ReplyError' && FAULT_OF_COMMAND.test(error.message)) throw error;
      this.lose(error);
      throw unavailable(error);
    }
  }

  /** Resolves when the server takes writes. @throws `cache.unavailable` */
  async ping(): Promise<void> {
    await this.ask(() => this.look());
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.client.disconnect();
  }

  private look(): Promise<unknown> {
    return this.client.set(LOOK_KEY, '1', 'PX', LOOK_MS);
  }

  private lose(error: unknown): void {
    if (this.present !== null || this.isClosed) return;
    this.present = { since: new Date(), reason: reasonOf(error) };
    this.looks = 0;
    this.events.lost(this.present);
    this.lookLater();
  }

  private lookLater(): void {
    if (this.isClosed) return;
    this.timer = setTimeout(() => void this.lookAgain(), LOOK_MS);
    this.timer.unref();
  }

  private async lookAgain(): Promise<void> {
    try {
      await inTime(this.look());
    } catch {
      this.looks += 1;
      if (this.looks % LOOKS_PER_CONNECTION === 0 && !this.isClosed) this.client.disconnect(true);
      return this.lookLater();
    }
    const outage = this.present;
    this.present = null;
    if (outage !== null && !this.isClosed) this.events.restored(outage);
  }
}

/** Rejects after the deadline, unless the answer lies there already: a process that was busy itself reads it first. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`no answer within ${DEADLINE_MS} ms`);
    timer = setTimeout(() => setImmediate(() => reject(error)), DEADLINE_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

function unavailable(cause: unknown): Error {
  return cacheErrors.unavailable({}, { retryAfter: RETRY_AFTER, cause });
}
