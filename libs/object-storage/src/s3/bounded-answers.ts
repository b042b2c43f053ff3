import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { Readable, Transform } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';

/** How much of an answer that carries nothing of use is read. */
const MOST_BYTES = 1024 * 1024;

/** An answer as the client's handler gives it. */
interface Answer {
  readonly statusCode: number;
  body: unknown;
}

const attempts = new AsyncLocalStorage<Attempt>();
const waits = new WeakMap<object, number>();
subscribe('http.client.request.created', (message) => {
  attempts.getStore()?.watch((message as { request: ClientRequest }).request);
});

/**
 * Ends every call whose answer has not come to its end `answerMs` after the request was sent, however long sending it took, even if
 * the server goes on to send a byte now and then, and reads no more of it than 1 MiB. What is asked for, the content of an answer of
 * success to GET and POST, is left to the deadline of its call: a server may take its time with that.
 */
export function boundAnswers(client: S3Client, answerMs: number): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      const attempt = new Attempt(answerMs);
      const output = await attempts.run(attempt, () => next(args));
      attempt.bound(output.response as Answer);
      return output;
    },
    { step: 'deserialize', priority: 'low', name: 'boundAnswers' },
  );
}

/** Milliseconds for which an error's answer was waited for after the request was sent; 0 for an error without an answer. */
export function waitedFor(error: unknown): number {
  const answer: unknown = error instanceof Error ? (error as { $response?: unknown }).$response : undefined;
  return typeof answer === 'object' && answer !== null ? (waits.get(answer) ?? 0) : 0;
}

class Attempt {
  private request: ClientRequest | undefined;
  private timer: NodeJS.Timeout | undefined;
  private sentAt: number | undefined;
  private body: Transform | undefined;

  constructor(private readonly answerMs: number) {}

  watch(request: ClientRequest): void {
    this.request = request;
    request.once('finish', () => {
      this.sentAt = performance.now();
      this.timer = setTimeout(() => this.giveUp(), this.answerMs).unref();
    });
    request.once('close', () => clearTimeout(this.timer));
  }

  bound(answer: Answer): void {
    waits.set(answer, this.sentAt === undefined ? 0 : performance.now() - this.sentAt);
    const isAskedFor = answer.statusCode < 300 && (this.request?.method === 'GET' || this.request?.method === 'POST');
    if (isAskedFor) clearTimeout(this.timer);
    else if (answer.body instanceof Readable) answer.body = this.limit(answer.body);
  }

  private limit(body: Readable): Transform {
    let bytes = 0;
    const limited = new Transform({
      transform: (piece: Buffer, _encoding, done) => {
        bytes += piece.length;
        if (bytes <= MOST_BYTES) return done(null, piece);
        this.request?.destroy();
        return done(new Error(`the answer is longer than ${MOST_BYTES} bytes`));
      },
    });
    body.on('error', (error) => limited.destroy(error));
    // A body that nothing reads, that of HEAD say, ends with its request and tells no one.
    limited.on('error', () => undefined);
    this.body = limited;
    return body.pipe(limited);
  }

  private giveUp(): void {
    const error = new Error(`no whole answer within ${this.answerMs} ms`);
    error.name = 'TimeoutError';
    this.body?.destroy(error);
    this.request?.destroy(error);
  }
}
