import { request as overHttp, type IncomingMessage } from 'node:http';
import { request as overHttps } from 'node:https';
import { once } from 'node:events';
import { buffer, json, text } from 'node:stream/consumers';
import { AnswerBytes, MOST_ANSWER_BYTES } from './bounded-fetch.js';

/**
 * A `fetch` for SDKs that read a streamed answer, over Node's own HTTP client. Node's `fetch` keeps the body of a request until the answer
 * has ended, twice; of a thousand streams that is most of what they hold. This one keeps the connection alone. It takes a text as body,
 * follows no redirect, and asks for no compression. An answer of 200 to 299 is read piece by piece, any other as a whole; one that is
 * longer than `most` bytes fails.
 */
export async function httpFetch(
  url: string | URL | Request,
  init: RequestInit = {},
  most: number = MOST_ANSWER_BYTES,
): Promise<Response> {
  const address = new URL(url instanceof Request ? url.url : url);
  const response = await send(address, init);
  const { statusCode: status = 0, statusMessage: statusText = '' } = response;
  const headers = headersOf(response);
  const body = counted(response, most);
  if (status < 200 || status > 299) return new Response(await buffer(body), { status, statusText, headers });
  const read = { body, text: () => text(body), json: () => json(body) };
  return { ok: true, status, statusText, headers, url: address.href, ...read } as unknown as Response;
}

async function* counted(response: IncomingMessage, most: number): AsyncGenerator<Buffer> {
  const count = new AnswerBytes(most);
  for await (const piece of response as AsyncIterable<Buffer>) {
    count.add(piece);
    yield piece;
  }
}

/** The signal is not given to Node: of an answer that has come whole and is not read yet it would fail a connection that no one listens to. */
async function send(url: URL, { method = 'GET', headers, body, signal }: RequestInit): Promise<IncomingMessage> {
  if (body !== undefined && body !== null && typeof body !== 'string') throw new TypeError('the body must be a text');
  signal?.throwIfAborted();
  const open = url.protocol === 'http:' ? overHttp : overHttps;
  const request = open(url, { method, headers: Object.fromEntries(new Headers(headers)) });
  // A connection that breaks later is told by the answer; without a listener the request's own error would end the process.
  request.on('error', ignore);
  const stop = (): void => void request.destroy(signal?.reason as Error);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    // As bytes: beside a text Node would write the headers, a key among them, in UTF-8.
    request.end(Buffer.from(body ?? ''));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    endWith(response, signal);
    return response;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** Stops an answer with the signal. Who reads it is told that it ended too early. */
function endWith(response: IncomingMessage, signal: AbortSignal | null | undefined): void {
  if (signal === null || signal === undefined) return;
  const stop = (): void => void response.destroy();
  signal.addEventListener('abort', stop, { once: true });
  response.once('close', () => signal.removeEventListener('abort', stop));
  if (signal.aborted) stop();
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  return headers;
}

function ignore(): void {}
