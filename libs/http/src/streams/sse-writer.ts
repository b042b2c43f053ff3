import type { FastifyReply } from 'fastify';
import { httpErrors } from '../http.errors.js';
import type { LongAnswer } from './long-answers.js';

const HEARTBEAT_MS = 15_000;
/** Time after which a reader that takes no data is disconnected. */
const STALLED_MS = 5 * 60_000;
/** Time that a reader without permission any more has to take the last event. */
const LAST_MS = 1_000;

export interface SseWriterOptions {
  /**
   * Whether another process can continue after the last event, by `Last-Event-ID`; default: no. Decides how the stream ends when the service
   * stops.
   */
  readonly isResumable?: boolean;
  /**
   * Whether the stream never ends by itself: then a stopping service does not wait for it, and ends it as soon as the address is closed. Default:
   * no.
   */
  readonly isEndless?: boolean;
}

export interface SseEvent {
  readonly id: string;
  /** Name of the event; left out for the default `message`. */
  readonly event?: string;
  /** Sent as one or more `data:` lines. */
  readonly data: string;
}

/** Schema of one event of a stream for the OpenAPI description; `data` is JSON unless the route says otherwise. */
export const SSE_EVENT_SCHEMA = {
  type: 'object' as const,
  description: 'An event of the stream.',
  required: ['data'],
  properties: {
    id: { type: 'string' as const, description: 'Identifier of the event, for `Last-Event-ID`.' },
    event: { type: 'string' as const, description: 'Name of the event; `message` when absent.' },
    data: { type: 'string' as const },
  },
};

/** One event as it goes over the wire; without an id the reader keeps the one that it has. */
export function formatSseEvent(event: Omit<SseEvent, 'id'> & { readonly id?: string }): string {
  const id = event.id === undefined ? '' : `id: ${event.id}\n`;
  const name = event.event === undefined ? '' : `event: ${event.event}\n`;
  const data = event.data
    .split('\n')
    .map((line) => `data: ${line}\n`)
    .join('');
  return `${id}${name}${data}\n`;
}

/**
 * Writes server-sent events. It waits for a slow reader, sends a comment every 15 s, and ends the stream with an event `error` as soon as the
 * reader has lost the permission to read it; `signal` is aborted then, and when the reader disconnects. When the service stops before the stream
 * has ended, the last event is `error` with `http.stream_passed_on` or `http.stream_cut_off`.
 */
export class SseWriter {
  /** Aborted when no more events are sent. */
  readonly signal: AbortSignal;
  private readonly controller = new AbortController();
  private readonly heartbeat: NodeJS.Timeout;
  private readonly ending: AbortSignal | undefined;
  private readonly endEarly = (): void => this.writeStopped();

  constructor(
    private readonly reply: FastifyReply,
    private readonly answer: LongAnswer,
    private readonly options: SseWriterOptions = {},
  ) {
    answer.lost.throwIfAborted();
    this.signal = AbortSignal.any([answer.signal, this.controller.signal]);
    reply.hijack();
    const headers = reply.getHeaders();
    reply.raw.writeHead(200, {
      ...(headers as Record<string, string>),
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
      Connection: reply.raw.shouldKeepAlive ? 'keep-alive' : 'close',
    });
    reply.raw.flushHeaders();
    reply.raw.on('close', () => this.stop());
    reply.raw.on('error', () => this.stop());
    this.heartbeat = setInterval(() => this.beat(), HEARTBEAT_MS);
    const drain = reply.server?.drain;
    const passingOn = options.isEndless === true ? drain?.closed : drain?.handingOver;
    this.ending = options.isResumable === true ? passingOn : drain?.cuttingOff;
    this.ending?.addEventListener('abort', this.endEarly, { once: true });
    if (this.ending?.aborted === true) this.endEarly();
    answer.lost.addEventListener('abort', () => this.fail(answer.lost.reason), { once: true });
  }

  /** Resolves when the event is on its way; does nothing once the reader has left. */
  async write(event: SseEvent): Promise<void> {
    if (this.signal.aborted || this.reply.raw.writableEnded) return;
    if (this.reply.raw.write(formatSseEvent(event))) return;
    await new Promise<void>((resolve) => {
      const stalled = setTimeout(() => this.reply.raw.destroy(), STALLED_MS);
      const done = (): void => {
        clearTimeout(stalled);
        this.reply.raw.off('drain', done);
        this.reply.raw.off('close', done);
        resolve();
      };
      this.reply.raw.once('drain', done);
      this.reply.raw.once('close', done);
    });
  }

  /** Ends the stream with an event `error`, whose data is the problem. The event has no id, so that a returning reader continues where it was. */
  fail(thrown: unknown): void {
    if (this.reply.raw.writableEnded) return;
    const data = JSON.stringify(this.answer.describe(thrown).problem);
    this.reply.raw.write(formatSseEvent({ event: 'error', data }));
    this.end();
    setTimeout(() => this.reply.raw.destroy(), LAST_MS).unref();
  }

  end(): void {
    clearInterval(this.heartbeat);
    this.ending?.removeEventListener('abort', this.endEarly);
    if (!this.reply.raw.writableEnded) this.reply.raw.end();
  }

  /** None for a reader that has not taken what was sent before: they would only pile up. */
  private beat(): void {
    if (!this.reply.raw.writableNeedDrain) this.reply.raw.write(': heartbeat\n\n');
  }

  /** Without an id, so that a reader resumes behind the last event of the stream. */
  private writeStopped(): void {
    if (this.reply.raw.writableEnded) return;
    this.fail(this.options.isResumable === true ? httpErrors.stream_passed_on({}) : httpErrors.stream_cut_off({}));
    this.controller.abort(new Error('The service is stopping.'));
  }

  private stop(): void {
    clearInterval(this.heartbeat);
    this.ending?.removeEventListener('abort', this.endEarly);
    this.controller.abort(new Error('The reader has left.'));
  }
}

/** Sends events until they end, the reader leaves or loses the right to them. */
export async function sendEvents(
  reply: FastifyReply,
  answer: LongAnswer,
  events: AsyncIterable<SseEvent>,
  options: SseWriterOptions = {},
): Promise<void> {
  const writer = new SseWriter(reply, answer, options);
  try {
    for await (const event of events) await writer.write(event);
  } finally {
    writer.end();
  }
}
