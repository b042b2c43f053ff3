import { reasonOf } from '#libs/common';
import { ModelError } from './model.errors.js';

/** Until the first byte of an answer, and from one piece to the next. */
export const SILENCE_MS = 30_000;

/** The server cannot be reached, says nothing, or is busy: trying again may help. */
export class TransientFailure extends Error {
  constructor(
    message: string,
    /** What the server asks to wait. */
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'TransientFailure';
  }
}

/** An answer whose body is read piece by piece, each within the deadline. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  pieces(): AsyncGenerator<Uint8Array>;
  /** Lets go of the connection. */
  close(): void;
}

/**
 * Asks once. Statuses of the 2xx range and 416 come back; the others are thrown, as a `TransientFailure` where another try may help.
 * @throws TransientFailure, ModelError
 */
export async function request(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  silenceMs: number = SILENCE_MS,
): Promise<Answer> {
  const silence = new Silence(silenceMs);
  const together = AbortSignal.any([signal, silence.signal]);
  let response: Response;
  try {
    // Packed bodies would have other lengths and could not be read on.
    response = await fetch(url, { headers: { 'accept-encoding': 'identity', ...headers }, signal: together });
  } catch (error) {
    silence.end();
    signal.throwIfAborted();
    throw new TransientFailure(`${new URL(url).host} cannot be reached (${reasonOfFetch(error)})`, undefined, {
      cause: error,
    });
  }
  const close = (): void => silence.abandon();
  if (!response.ok && response.status !== 416) {
    close();
    throw failureOf(url, response);
  }
  if (url.startsWith('https:') && !response.url.startsWith('https:')) {
    close();
    throw new ModelError(`${url} leads to ${response.url}, which is not protected by TLS; it is not followed.`);
  }
  return {
    status: response.status,
    headers: response.headers,
    close,
    pieces: () => readPieces(response, silence, signal),
  };
}

async function* readPieces(response: Response, silence: Silence, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    silence.heard();
    for await (const piece of response.body ?? []) {
      silence.heard();
      yield piece as Uint8Array;
      silence.heard();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ModelError) throw error;
    throw new TransientFailure(`the connection was cut (${reasonOfFetch(error)})`, undefined, { cause: error });
  } finally {
    silence.abandon();
  }
}

function failureOf(url: string, { status, headers }: Response): Error {
  if (status === 408 || status === 429 || status >= 500) {
    const seconds = Number(headers.get('retry-after') ?? Number.NaN);
    const pause = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
    return new TransientFailure(`${new URL(url).host} answers ${status}`, pause);
  }
  if (status === 401 || status === 403) {
    return new ModelError(
      `${url} answers ${status}: the model is not public or does not exist. Download it by its own tool and install the folder.`,
    );
  }
  if (status === 404 || status === 410) return new ModelError(`${url} does not exist (${status}).`);
  return new ModelError(`${url} answers ${status}, which was not expected.`);
}

/** undici says "fetch failed" and keeps the reason behind it. */
function reasonOfFetch(error: unknown): string {
  return reasonOf(error instanceof Error && error.cause !== undefined ? error.cause : error);
}

/** A deadline that begins again with every byte. */
class Silence {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  readonly signal = this.controller.signal;

  constructor(private readonly ms: number) {
    this.heard();
  }

  heard(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.controller.abort(new Error(`nothing came for ${Math.round(this.ms / 1000)} seconds`));
    }, this.ms);
  }

  end(): void {
    clearTimeout(this.timer);
  }

  abandon(): void {
    this.end();
    this.controller.abort();
  }
}
