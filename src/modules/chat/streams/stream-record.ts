import { randomBytes } from 'node:crypto';
import type { DatasetId } from '#libs/common';
import type { SseEvent } from '#libs/http';

/** Milliseconds for which an answer is continued after its reader has disconnected, with `stream_options.resumable`. */
export const GONE_READER_MS = 30_000;
/** Number of events by which the foremost reader may be behind before the model is paused. */
export const MOST_UNREAD = 1_000;

/** Facts of a stream, and what it needs to end without its first reader. */
export interface StreamFacts {
  /** Owner of the stream, by `ownerOf`. */
  readonly owner: string;
  /** Datasets of the answer; resuming needs all of them to be visible. */
  readonly datasetIds: readonly DatasetId[];
  /** Whether the answer is made on for a while when its reader leaves. */
  readonly isResumable: boolean;
  /** `data` of an event that carries a piece of the answer. */
  readonly textData: (text: string) => string;
  /** `data` of the error event that ends a stream that was stopped. */
  readonly stoppedData: () => string;
  /** Asked before an answer is stopped for want of readers: whether someone reads it in another process. */
  readonly isReadElsewhere?: () => Promise<boolean>;
}

/** A piece of the answer as it is, or all of an event's data: a thousand tokens must not keep a thousand envelopes. */
type KeptEvent = string | { readonly data: string; readonly event?: string };

/**
 * The events of one streamed answer, which any number of readers can follow from any event. Events are added once: an answer that was stopped
 * ends with an error event, and the model is never called again.
 */
export class StreamRecord {
  /** Unguessable: 128 random bits. */
  readonly id = randomBytes(16).toString('hex');
  private readonly events: KeptEvent[] = [];
  private readonly controller = new AbortController();
  private changed = Promise.withResolvers<void>();
  /** Set while someone waits for room. */
  private taken: PromiseWithResolvers<void> | undefined;
  private readers = 0;
  /** Where the foremost reader is. */
  private foremost = 0;
  private patience: NodeJS.Timeout | undefined;
  private ended = false;
  /** About how much it keeps, in UTF-16 code units. */
  length = 0;
  /** When it got its last event, by `performance.now()`. */
  lastChangeAt = performance.now();

  constructor(private readonly facts: StreamFacts) {}

  get owner(): string {
    return this.facts.owner;
  }

  get datasetIds(): readonly string[] {
    return this.facts.datasetIds;
  }

  /** Whether there will be no more events. */
  get isEnded(): boolean {
    return this.ended;
  }

  get size(): number {
    return this.events.length;
  }

  /** Aborted when the answer is no longer needed, because it has no readers. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Adds a piece of the answer; without effect after the end. */
  addText(text: string): void {
    this.append(text, text.length);
  }

  /** Adds an event as it is; without effect after the end. */
  addData(data: string, event?: string): void {
    this.append(event === undefined ? { data } : { data, event }, data.length);
  }

  /** Says that no more events come. Idempotent. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    clearTimeout(this.patience);
    this.lastChangeAt = performance.now();
    this.wake();
    this.makeRoom();
  }

  /** Ends before the answer has: with an error event with this `data` when there was an event; `reason` is what the model's call is ended with. Without effect after the end. */
  cutOff(data: string, reason: string): void {
    if (this.ended) return;
    if (this.events.length > 0) this.addData(data, 'error');
    this.end();
    this.controller.abort(new Error(reason));
  }

  /** The event at an index below `size`. */
  at(index: number): SseEvent {
    const kept = this.events[index]!;
    const id = `${this.id}.${index}`;
    return typeof kept === 'string' ? { id, data: this.facts.textData(kept) } : { id, ...kept };
  }

  /** Resolves when there are more events than `size`, or at the end. */
  async more(size: number): Promise<void> {
    if (this.events.length === size && !this.ended) await this.changed.promise;
  }

  /** Whether the foremost reader is so far behind that the model should be paused; false without readers. */
  get isFull(): boolean {
    return this.readers > 0 && !this.ended && this.events.length - this.foremost > MOST_UNREAD;
  }

  /** Resolves when it is not full: a reader has taken enough or has left, or the stream has ended. */
  async room(): Promise<void> {
    while (this.isFull) {
      this.taken ??= Promise.withResolvers<void>();
      await this.taken.promise;
    }
  }

  /**
   * The events from the given index on, as they come, until the end or until `signal` is aborted: the reader has left then.
   * Reading counts from this call on, not from the first `next()`.
   */
  read(from: number, signal: AbortSignal): AsyncGenerator<SseEvent, void, undefined> {
    this.readers += 1;
    clearTimeout(this.patience);
    let isHere = true;
    const leave = (): void => {
      if (!isHere) return;
      isHere = false;
      this.readers -= 1;
      if (this.readers === 0) this.missReaders();
      this.wake();
      this.makeRoom();
    };
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    return this.follow(from, signal, () => {
      signal.removeEventListener('abort', leave);
      leave();
    });
  }

  private async *follow(
    from: number,
    signal: AbortSignal,
    leave: () => void,
  ): AsyncGenerator<SseEvent, void, undefined> {
    try {
      let next = from;
      for (;;) {
        while (next < this.events.length && !signal.aborted) {
          yield this.at(next++);
          this.take(next);
        }
        if (signal.aborted || (this.ended && next >= this.events.length)) return;
        await this.more(next);
      }
    } finally {
      leave();
    }
  }

  /** No one has got an event id of a stream without events: it cannot be asked for again. */
  private missReaders(): void {
    if (this.ended) return;
    if (!this.facts.isResumable || this.events.length === 0) this.stop();
    else this.wait();
  }

  private wait(): void {
    this.patience = setTimeout(() => void this.giveUp(), GONE_READER_MS);
    this.patience.unref();
  }

  private async giveUp(): Promise<void> {
    const isRead = (await this.facts.isReadElsewhere?.()) ?? false;
    if (this.readers > 0 || this.ended) return;
    if (isRead) this.wait();
    else this.stop();
  }

  private stop(): void {
    this.cutOff(this.facts.stoppedData(), 'The reader has left.');
  }

  /** A reader has taken all events before this index. */
  private take(next: number): void {
    if (next <= this.foremost) return;
    this.foremost = next;
    if (this.events.length - next <= MOST_UNREAD) this.makeRoom();
  }

  private makeRoom(): void {
    this.taken?.resolve();
    this.taken = undefined;
  }

  private append(event: KeptEvent, length: number): void {
    if (this.ended) return;
    this.events.push(event);
    this.length += length;
    this.lastChangeAt = performance.now();
    this.wake();
  }

  private wake(): void {
    this.changed.resolve();
    this.changed = Promise.withResolvers<void>();
  }
}
