import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { ANSWERER_KINDS, type Answerer } from './answerers.js';
import type { Fault } from './fault.js';

type Json = Readonly<Record<string, unknown>>;

/** One request that a double was sent. */
export interface DoubleRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Json;
}

/** What a double answers: a status, and a body that is sent whole, or pieces that are sent one after the other. */
export type DoubleReply =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: unknown }
  | { readonly stream: AsyncIterable<string | Buffer> };

/** Thrown inside a stream to break its connection. */
export class Broken extends Error {}

/**
 * A provider of models as a real HTTP server on a port of the loopback interface. It answers as the published description says, until
 * it is told otherwise: `fail` for the next requests, `always` for all. Over HTTP, for a double in a process of its own:
 * `PUT /_double/faults` with a list for the next requests, `PUT /_double/always` with one fault or null, `PUT /_double/settings`
 * with `pieceMs`, `firstPieceMs`, `remembers` and `variesBySeed`, `PUT /_double/answerer` with how it answers questions over sources
 * (`answerers.ts`) or null, `GET /_double/requests` for what it was sent, `DELETE /_double/requests` to forget it.
 */
export abstract class ProviderDouble {
  /** Every request, oldest first; those that control the double are left out. */
  requests: DoubleRequest[] = [];
  /** Milliseconds before each piece of a stream. */
  pieceMs = 0;
  /** Milliseconds from a request to the first words of its stream; 0: as any other piece. */
  firstPieceMs = 0;
  /** Whether requests are remembered; not for a double that gets very many. */
  remembers = true;
  /** Whether markers go wrong by the seed of a request, a fifth of them. */
  variesBySeed = false;
  /** How it answers questions over sources; undefined: the first sentence of the best source. */
  answerer: Answerer | undefined;
  /** Streams that are being written now. */
  openStreams = 0;
  private queue: Fault[] = [];
  private standing: Fault | undefined;
  private server: Server | undefined;

  /** What it does with a request. */
  protected abstract reply(request: DoubleRequest, fault: Fault | undefined): Promise<DoubleReply>;
  /** The body of an error in the provider's own shape. */
  protected abstract errorBody(status: number, message: string): unknown;

  /** @param port 0: a free one. */
  async start(port = 0): Promise<this> {
    const server = createServer((request, response) => {
      this.serve(request, response).catch((error: unknown) => {
        if (response.headersSent) response.destroy();
        else response.writeHead(500).end(String(error));
      });
    });
    this.server = server;
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return this;
  }

  /** Where it listens, without a path. */
  get origin(): string {
    const address = this.server?.address() as AddressInfo | undefined;
    if (address === undefined) throw new Error('the double was not started');
    return `http://127.0.0.1:${address.port}`;
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  /** The next requests go wrong, one fault each. */
  fail(...faults: Fault[]): void {
    this.queue.push(...faults);
  }

  /** Every request goes wrong until it is told otherwise; those of `fail` come first. */
  always(fault: Fault | undefined): void {
    this.standing = fault;
  }

  /** As it was started. */
  reset(): void {
    this.queue = [];
    this.standing = undefined;
    this.requests = [];
    this.pieceMs = 0;
    this.firstPieceMs = 0;
    this.remembers = true;
    this.variesBySeed = false;
    this.answerer = undefined;
  }

  private async serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await readText(message);
    const receivedAt = performance.now();
    const path = (message.url ?? '/').split('?', 1)[0]!;
    if (path.startsWith('/_double/')) return this.control(path, message.method ?? 'GET', raw, response);
    const body = parseBody(raw);
    if (body === undefined) return sendJson(response, 400, this.errorBody(400, 'The body is no JSON object.'));
    const request = { method: message.method ?? 'GET', path, headers: message.headers, body };
    if (this.remembers) this.requests.push(request);
    const fault = this.queue.shift() ?? this.standing;
    if (await this.goesWrong(request, fault, response)) return undefined;
    const reply = await this.reply(request, fault);
    if ('stream' in reply) return this.stream(reply.stream, response, receivedAt);
    return sendJson(response, reply.status, reply.body, reply.headers);
  }

  /** Faults that are the same for every route. */
  private async goesWrong(
    request: DoubleRequest,
    fault: Fault | undefined,
    response: ServerResponse,
  ): Promise<boolean> {
    if (fault?.kind === 'slow') await pause(fault.ms);
    if (fault?.kind === 'drop') response.destroy();
    else if (fault?.kind === 'status') {
      const { words, headers } = fault.echoesKey === true ? echoOf(request) : { words: '', headers: {} };
      const wait: Record<string, string> = fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter };
      const body = this.errorBody(fault.status, `${fault.message ?? 'Told to fail.'}${words}`);
      sendJson(response, fault.status, body, { ...headers, ...wait });
    } else if (fault?.kind === 'malformed' && request.body['stream'] !== true) {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"object": "list", "data": [{"ind');
    } else return fault?.kind === 'silent';
    return true;
  }

  private async stream(
    pieces: AsyncIterable<string | Buffer>,
    response: ServerResponse,
    receivedAt: number,
  ): Promise<void> {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
    response.flushHeaders();
    this.openStreams += 1;
    let sent = 0;
    try {
      for await (const piece of pieces) {
        if (response.destroyed) return;
        await this.waitBefore(sent++, receivedAt);
        if (!response.write(piece))
          await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
        // Each piece in a packet of its own.
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      response.destroy();
    } finally {
      this.openStreams -= 1;
    }
  }

  /** The first piece only opens the answer: with a time for the first words the second follows at once. */
  private async waitBefore(index: number, receivedAt: number): Promise<void> {
    const isTimed = this.firstPieceMs > 0 && index < 2;
    const left = isTimed ? receivedAt + this.firstPieceMs - performance.now() : this.pieceMs;
    if (left > 0) await pause(left);
  }

  private control(path: string, method: string, raw: string, response: ServerResponse): void {
    const given: unknown = raw === '' ? null : JSON.parse(raw);
    if (path === '/_double/faults' && method === 'PUT') this.queue = given as Fault[];
    else if (path === '/_double/always' && method === 'PUT') this.standing = (given as Fault | null) ?? undefined;
    else if (path === '/_double/answerer' && method === 'PUT') this.answerer = toAnswerer(given as Answerer | null);
    else if (path === '/_double/settings' && method === 'PUT') Object.assign(this, pickSettings(given as Json));
    else if (path === '/_double/requests' && method === 'DELETE') this.requests = [];
    else if (path !== '/_double/requests' || method !== 'GET')
      return sendJson(response, 404, { message: 'Unknown control.' });
    return sendJson(response, 200, method === 'GET' ? this.requests : {});
  }
}

function toAnswerer(given: Answerer | null): Answerer | undefined {
  if (given === null) return undefined;
  if (!ANSWERER_KINDS.includes(given.kind)) throw new Error(`No way of answering: ${String(given.kind)}.`);
  return given;
}

function pickSettings({ pieceMs, firstPieceMs, remembers, variesBySeed }: Json): Json {
  return {
    ...(typeof firstPieceMs === 'number' ? { firstPieceMs } : {}),
    ...(typeof remembers === 'boolean' ? { remembers } : {}),
    ...(typeof pieceMs === 'number' ? { pieceMs } : {}),
    ...(typeof variesBySeed === 'boolean' ? { variesBySeed } : {}),
  };
}

/** The key that a request was sent with. */
export function keyOf({ headers }: DoubleRequest): string {
  const bearer = String(headers['authorization'] ?? '').replace(/^Bearer /i, '');
  return bearer === '' ? String(headers['api-key'] ?? '') : bearer;
}

/** The key of a request as careless servers repeat it, in words and in headers. */
function echoOf(request: DoubleRequest): {
  readonly words: string;
  readonly headers: Readonly<Record<string, string>>;
} {
  const key = keyOf(request);
  return {
    words: ` Your key: ${key} (${JSON.stringify(request.headers)})`,
    headers: { 'x-your-key': key, 'www-authenticate': `Bearer error="${encodeURIComponent(key)}"` },
  };
}

function parseBody(raw: string): Json | undefined {
  if (raw === '') return {};
  try {
    const body: unknown = JSON.parse(raw);
    return typeof body === 'object' && body !== null ? (body as Json) : undefined;
  } catch {
    return undefined;
  }
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Waits until no one waits any more. */
export function forever(): Promise<never> {
  return new Promise(() => undefined);
}

/** An event of a stream in two parts, the first of which ends inside a character. */
export function insideCharacter(event: string): Buffer[] {
  const bytes = Buffer.from(event);
  const at = bytes.findIndex((byte) => byte >= 0xc0);
  return at === -1 ? [bytes] : [bytes.subarray(0, at + 1), bytes.subarray(at + 1)];
}
