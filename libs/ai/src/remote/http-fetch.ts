import { request as overHttp, type IncomingMessage } from 'node:http';
import { request as overHttps } from 'node:https';
import { once } from 'node:events';
import { buffer, json, text } from 'node:stream/consumers';

/**
 * A `fetch` for SDKs that read a streamed answer, over Node's own HTTP client. Node's `fetch` keeps the body of a request until the answer
 * has ended, twice; of a thousand streams that is most of what they hold. This one keeps the connection alone. It takes a text as body,
 * follows no redirect, and asks for no compression. An answer of 200 to 299 is read piece by piece, any other as a whole.
 */
export async function httpFetch(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const address = new URL(url instanceof Request ? url.url : url);
  const response = await send(address, init);
  const { statusCode: status = 0, statusMessage: statusText = '' } = response;
  const headers = headersOf(response);
  if (status < 200 || status > 299) return new Response(await buffer(response), { status, statusText, headers });
  const read = { body: response, text: () => text(response), json: () => json(response) };
  return { ok: true, status, statusText, headers, url: address.href, ...read } as unknown as Response;
}

async function send(url: URL, { method = 'GET', headers, body, signal }: RequestInit): Promise<IncomingMessage> {
  if (body !== undefined && body !== null && typeof body !== 'string') throw new TypeError('the body must be a text');
  const open = url.protocol === 'http:' ? overHttp : overHttps;
  const request = open(url, {
    method,
    headers: Object.fromEntries(new Headers(headers)),
    ...(signal === undefined || signal === null ? {} : { signal }),
  });
  // As bytes: beside a text Node would write the headers, a key among them, in UTF-8.
  request.end(Buffer.from(body ?? ''));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  // A connection that breaks is told by the answer; without a listener the request's own error would end the process.
  request.on('error', ignore);
  return response;
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
  return headers;
}

function ignore(): void {}
