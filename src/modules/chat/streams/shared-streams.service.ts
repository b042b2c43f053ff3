import { Injectable } from '@nestjs/common';
import { Cache } from '#libs/cache';
import { delay, MessageThrottle, reasonOf } from '#libs/common';
import { Settings } from '#libs/config';
import type { SseEvent } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import { PinoLogger } from 'nestjs-pino';
import { ownerOf, STREAM_KEPT_MS } from './stream-buffer.service.js';
import type { StreamRecord } from './stream-record.js';

/** How often new events are written for other processes, and looked for by them; milliseconds. */
const STEP_MS = 200;
/** How often a stream without new events says that it is still being made. */
const BEAT_MS = 5_000;
/** Without a sign of life for so long, the process that made the stream has ended. */
const DEAD_MS = 15_000;
/** How long a reader in another process counts after its last sign of life. */
const READER_MS = 10_000;
/** Milliseconds between two messages about a cache that does not answer. */
const QUIET_MS = 30_000;

/** What is known of a shared stream beside its events; written after them. */
interface Head {
  readonly owner: string;
  readonly datasetIds: readonly string[];
  /** Batches of events, from 0. */
  readonly batches: number;
  readonly size: number;
  readonly isEnded: boolean;
  /** Changes with every writing, so that a reader sees that the stream lives, whatever its clock says. */
  readonly beat: number;
}

/** A stream of another process, and where to begin in it. */
export interface SharedStream {
  readonly id: string;
  readonly datasetIds: readonly string[];
  readonly size: number;
}

/**
 * Resumable streams in the cache that all processes share (`REDIS_URL`), so that another process can continue them. Without such a cache nothing
 * is written or found. When the cache does not answer, streams go on but cannot be resumed at another process.
 */
@Injectable()
export class SharedStreams {
  readonly isShared: boolean;
  private readonly throttle = new MessageThrottle(QUIET_MS);

  constructor(
    private readonly cache: Cache,
    settings: Settings,
    private readonly logger: PinoLogger,
  ) {
    this.isShared = settings.values.redisUrl !== undefined;
  }

  /** Writes the events of a stream as they come, until its end. Never rejects. */
  async publish(record: StreamRecord): Promise<void> {
    if (!this.isShared) return;
    const { id, owner, datasetIds } = record;
    let [size, batches, beat, silent] = [0, 0, 0, BEAT_MS];
    try {
      for (let isEnded = false; !isEnded;) {
        isEnded = record.isEnded;
        const until = record.size;
        if (until > size) await this.write(`${id}:${batches++}`, eventsOf(record, size, until));
        if (until > size || isEnded || silent >= BEAT_MS) {
          await this.write(id, { owner, datasetIds, batches, size: until, isEnded, beat: beat++ } satisfies Head);
          silent = 0;
        }
        size = until;
        if (isEnded) return;
        await delay(STEP_MS);
        silent += STEP_MS;
      }
    } catch (error) {
      this.throttle.pass((omitted) => this.logger.warn({ reason: reasonOf(error), omitted }, 'chat.stream_not_shared'));
    }
  }

  /** Whether a reader of another process follows the stream at this moment. */
  async isRead(id: string): Promise<boolean> {
    if (!this.isShared) return false;
    return (await this.cache.get(keyOf(`${id}:reader`)).catch(() => null)) !== null;
  }

  /** The stream of another process with this id, if it is the caller's own. @throws `cache.unavailable` */
  async find(ctx: RequestContext, id: string): Promise<SharedStream | undefined> {
    const head = this.isShared ? await this.head(id) : undefined;
    if (head === undefined || head.owner !== ownerOf(ctx)) return undefined;
    return { id, datasetIds: head.datasetIds, size: head.size };
  }

  /**
   * The events from the given index on, as they come, until the end or until `signal` is aborted; with the error event `stopped` at the
   * end when the process that made them has ended before them. @throws `cache.unavailable`
   */
  async *follow(
    { id }: SharedStream,
    from: number,
    signal: AbortSignal,
    stopped: () => string,
  ): AsyncGenerator<SseEvent, void, undefined> {
    let [next, batch, beat, silent] = [from, 0, -1, 0];
    while (!signal.aborted) {
      await this.cache.set(keyOf(`${id}:reader`), '1', READER_MS);
      const head = await this.head(id);
      for (; head !== undefined && batch < head.batches; batch += 1) {
        for (const event of await this.batch(id, batch)) if (indexOf(event) >= next) yield event;
      }
      next = Math.max(next, head?.size ?? next);
      if (head?.isEnded === true) return;
      silent = head === undefined || head.beat === beat ? silent + STEP_MS : 0;
      beat = head?.beat ?? beat;
      if (silent > DEAD_MS) return yield { id: `${id}.${next}`, event: 'error', data: stopped() };
      await delay(STEP_MS, signal).catch(() => undefined);
    }
  }

  private write(key: string, value: unknown): Promise<void> {
    return this.cache.set(keyOf(key), JSON.stringify(value), STREAM_KEPT_MS);
  }

  private async head(id: string): Promise<Head | undefined> {
    const text = await this.cache.get(keyOf(id));
    return text === null ? undefined : (JSON.parse(text) as Head);
  }

  private async batch(id: string, index: number): Promise<readonly SseEvent[]> {
    const text = await this.cache.get(keyOf(`${id}:${index}`));
    return text === null ? [] : (JSON.parse(text) as SseEvent[]);
  }
}

function keyOf(id: string): string {
  return `chat-stream:${id}`;
}

function eventsOf(record: StreamRecord, from: number, until: number): SseEvent[] {
  return Array.from({ length: until - from }, (_, index) => record.at(from + index));
}

function indexOf({ id }: SseEvent): number {
  return Number(id.slice(id.indexOf('.') + 1));
}
