import type { FastifyReply } from 'fastify';

const HEARTBEAT_MS = 15_000;
/** A reader that takes nothing for so long is given up. */
const STALLED_MS = 5 * 60_000;

export interface SseEvent {
  readonly id: string;
  /** Name of the event; left out for the default `message`. */
  readonly event?: string;
  /** Sent as one or more `data:` lines. */
  readonly data: string;
}

/** One event of a stream, as descriptions of the API show it: `data` holds JSON unless the route says otherwise. */
export const SSE_EVENT_SCHEMA = {
  type: 'object' as const,
  description: 'One of the events.',
  required: ['data'],
  properties: {
    id: { type: 'string' as const, description: 'Where a reader goes on, as `Last-Event-ID`.' },
    event: { type: 'string' as const, description: 'Name of the event; left out: `message`.' },
    data: { type: 'string' as const },
  },
};

/** One event as it goes over the wire. */
export function formatSseEvent(event: SseEvent): string {
  const name = event.event === undefined ? '' : `event: ${event.event}\n`;
  const data = event.data
    .split('\n')
    .map((line) => `data: ${line}\n`)
    .join('');
  return `id: ${event.id}\n${name}${data}\n`;
}

/** Writes server-sent events: waits for a slow reader, beats every 15 s, and aborts `signal` when the reader leaves. */
export class SseWriter {
  private readonly controller = new AbortController();
  private readonly heartbeat: NodeJS.Timeout;

  constructor(private readonly reply: FastifyReply) {
    reply.hijack();
    const headers = reply.getHeaders();
    reply.raw.writeHead(200, {
      ...(headers as Record<string, string>),
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
      Connection: 'keep-alive',
    });
    reply.raw.flushHeaders();
    reply.raw.on('close', () => this.stop());
    reply.raw.on('error', () => this.stop());
    this.heartbeat = setInterval(() => this.beat(), HEARTBEAT_MS);
  }

  /** Aborted as soon as the reader has left. */
  get signal(): AbortSignal {
    return this.controller.signal;
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

  end(): void {
    clearInterval(this.heartbeat);
    if (!this.reply.raw.writableEnded) this.reply.raw.end();
  }

  /** None for a reader that has not taken what was sent before: they would only pile up. */
  private beat(): void {
    if (!this.reply.raw.writableNeedDrain) this.reply.raw.write(': heartbeat\n\n');
  }

  private stop(): void {
    clearInterval(this.heartbeat);
    this.controller.abort(new Error('The reader has left.'));
  }
}
