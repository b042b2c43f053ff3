import { randomBytes } from 'node:crypto';
import type { SseEvent } from '#libs/http';
import type { ChatTurn } from './chat-turn.js';
import type { ChatCompletionRequest } from './dto/chat-completion-request.dto.js';

/** `running`: events are being added. `cut`: its last reader left before the end. `complete`: there will be no more events. */
export type StreamState = 'running' | 'cut' | 'complete';

/** Adds the events of one attempt to answer; without effect once the attempt has been stopped. */
export interface StreamRun {
  /** Aborted when the last reader has left. */
  readonly signal: AbortSignal;
  add(data: string, event?: string): void;
  /** Says that no more events come. */
  complete(): void;
}

/** The events of one streamed answer, which any number of readers can follow, each from where it likes. */
export class StreamRecord {
  /** Not to be guessed: 128 random bits. */
  readonly id = randomBytes(16).toString('hex');
  private readonly events: SseEvent[] = [];
  private current: { controller: AbortController; state: StreamState } = {
    controller: new AbortController(),
    state: 'cut',
  };
  private changed = Promise.withResolvers<void>();
  private readers = 0;
  /** About how much it keeps, in UTF-16 code units: request, sources and all events. */
  length: number;
  /** When it got its last event or was cut; milliseconds since 1970. */
  lastChangeAt = Date.now();

  constructor(
    /** Whom it belongs to, `ownerOf`. */
    readonly owner: string,
    readonly request: ChatCompletionRequest,
    readonly turn: ChatTurn,
  ) {
    const texts = [...request.messages.map(({ content }) => content), ...turn.sources.map(({ text }) => text)];
    this.length = texts.reduce((sum, text) => sum + text.length, 0);
  }

  get state(): StreamState {
    return this.current.state;
  }

  get size(): number {
    return this.events.length;
  }

  /** `data` of the events so far, in order. */
  dataSoFar(): string[] {
    return this.events.map(({ data }) => data);
  }

  /** Starts an attempt; the record must be `cut`, as it is at first. */
  start(): StreamRun {
    if (this.current.state !== 'cut') throw new Error(`A stream that is ${this.current.state} cannot be started.`);
    const run = { controller: new AbortController(), state: 'running' as StreamState };
    this.current = run;
    return {
      signal: run.controller.signal,
      add: (data, event) => {
        if (run.state === 'running') this.append(data, event);
      },
      complete: () => {
        if (run.state !== 'running') return;
        run.state = 'complete';
        this.lastChangeAt = Date.now();
        this.wake();
      },
    };
  }

  /**
   * The events from the given index on, as they come, until the end or until `signal` is aborted: the reader has left then.
   * Reading counts from this call on, not from the first `next()`.
   */
  read(from: number, signal: AbortSignal): AsyncGenerator<SseEvent, void, undefined> {
    this.readers += 1;
    let isHere = true;
    const leave = (): void => {
      if (!isHere) return;
      isHere = false;
      this.readers -= 1;
      if (this.readers === 0) this.cut();
      this.wake();
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
        for (let event = this.events[next]; event !== undefined && !signal.aborted; event = this.events[++next])
          yield event;
        if (signal.aborted || this.current.state !== 'running') return;
        await this.changed.promise;
      }
    } finally {
      leave();
    }
  }

  private append(data: string, event: string | undefined): void {
    this.events.push({ id: `${this.id}.${this.events.length}`, data, ...(event === undefined ? {} : { event }) });
    this.length += data.length;
    this.lastChangeAt = Date.now();
    this.wake();
  }

  private cut(): void {
    if (this.current.state !== 'running') return;
    this.current.state = 'cut';
    this.lastChangeAt = Date.now();
    this.current.controller.abort(new Error('The reader has left.'));
  }

  private wake(): void {
    this.changed.resolve();
    this.changed = Promise.withResolvers<void>();
  }
}
