import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { Injectable } from '@nestjs/common';
import type { SignedHeaders } from '../endpoints/webhook-secret.js';
import { TargetCheck, type CheckedTarget } from '../target/target-check.service.js';
import { DeliveryRules } from './delivery-rules.js';

/** Seconds or a date, as in RFC 9110, section 10.2.3. */
const SECONDS = /^\d{1,12}$/;
const DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;

/** Maximum number of bytes of an answer that are read. */
const EXCERPT_BYTES = 4_000;
const EXCERPT_CHARACTERS = 1_000;
const GONE = 410;
/** Status codes whose `Retry-After` is respected. */
const ASKS_TO_WAIT: ReadonlySet<number> = new Set([429, 503]);

/** Failure code of an attempt. */
export type AttemptError =
  | 'HTTP_STATUS'
  | 'GONE'
  | 'TIMEOUT'
  | 'CONNECTION_FAILED'
  | 'CERTIFICATE_REFUSED'
  | 'NAME_UNKNOWN'
  | 'TARGET_REFUSED'
  | 'SECRET_UNREADABLE';

/** Outcome of an attempt. */
export interface SendResult {
  readonly error: AttemptError | null;
  readonly statusCode: number | null;
  readonly excerpt: string | null;
  /** Pause that the receiver requests, in seconds; null: none. */
  readonly waitSeconds: number | null;
}

/** A signed message. */
export interface SignedMessage {
  readonly url: string;
  readonly headers: SignedHeaders;
  readonly body: string;
}

/**
 * Sends a message to the address that was checked, without redirects, proxies or reused connections, within a deadline. Only the beginning
 * of the answer is read. The certificate must be trusted and be for the host of the URL.
 */
@Injectable()
export class WebhookSender {
  constructor(
    private readonly targets: TargetCheck,
    private readonly rules: DeliveryRules,
  ) {}

  /** Never rejects because of the receiver; an aborted `signal` ends the attempt and rejects with its reason. */
  async send({ url, headers, body }: SignedMessage, signal: AbortSignal): Promise<SendResult> {
    const verdict = await this.targets.check(url);
    if (verdict.kind === 'refused') return failed('TARGET_REFUSED');
    if (verdict.kind === 'unresolved') return failed('NAME_UNKNOWN');
    const late = AbortSignal.timeout(this.rules.deadlineMs);
    const result = await post(verdict.target, headers, body, AbortSignal.any([signal, late]));
    signal.throwIfAborted();
    return result ?? failed(late.aborted ? 'TIMEOUT' : 'CONNECTION_FAILED');
  }
}

export function failed(error: AttemptError): SendResult {
  return { error, statusCode: null, excerpt: null, waitSeconds: null };
}

/** Undefined when there was no answer. */
function post(
  target: CheckedTarget,
  headers: SignedHeaders,
  body: string,
  signal: AbortSignal,
): Promise<SendResult | undefined> {
  const { url } = target;
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve) => {
    const request = send(optionsOf(target, headers, body, signal), (response) => {
      void readExcerpt(response).then((excerpt) => {
        resolve(resultOf(response, excerpt));
        request.destroy();
      });
    });
    request.on('error', () => {
      // Set when the connection is established and only its certificate is wrong.
      const refused = (request.socket as Partial<TLSSocket> | null)?.authorizationError;
      resolve(refused ? failed('CERTIFICATE_REFUSED') : undefined);
    });
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(resultOf(response, ''));
    });
    request.end(body);
  });
}

function optionsOf(
  { url, address }: CheckedTarget,
  headers: SignedHeaders,
  body: string,
  signal: AbortSignal,
): RequestOptions {
  return {
    method: 'POST',
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? undefined : url.port,
    path: `${url.pathname}${url.search}`,
    headers: {
      ...headers,
      Host: url.host,
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      'User-Agent': 'knowledge-base-webhooks/1',
      'Accept-Encoding': 'identity',
      Connection: 'close',
    },
    // A new connection: a pooled one could lead to an address that was checked for another attempt, and an agent could use a proxy.
    agent: false,
    lookup: pinnedTo(address),
    signal,
  };
}

/** A lookup function that always returns the checked address. */
function pinnedTo({ address, family }: CheckedTarget['address']): LookupFunction {
  return (_host, { all }, done) => {
    if (all === true) done(null, [{ address, family }]);
    else done(null, address, family);
  };
}

/** The status has been received, so an interrupted, long or slow body does not change the outcome. */
async function readExcerpt(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      pieces.push(piece);
      size += piece.length;
      if (size >= EXCERPT_BYTES) break;
    }
  } catch {
    // Interrupted: the received part is used.
  }
  const text = Buffer.concat(pieces).subarray(0, EXCERPT_BYTES).toString('utf8').toWellFormed();
  return text
    .replace(/[^\P{Cc}\n\t]/gu, ' ')
    .slice(0, EXCERPT_CHARACTERS)
    .toWellFormed();
}

function resultOf({ statusCode = 0, headers }: IncomingMessage, excerpt: string): SendResult {
  const shown = excerpt === '' ? null : excerpt;
  if (statusCode >= 200 && statusCode < 300) return { error: null, statusCode, excerpt: shown, waitSeconds: null };
  const waitSeconds = ASKS_TO_WAIT.has(statusCode) ? secondsToWait(headers['retry-after'], Date.now()) : null;
  return { error: statusCode === GONE ? 'GONE' : 'HTTP_STATUS', statusCode, excerpt: shown, waitSeconds };
}

/** Seconds from `now` (milliseconds) that a header `Retry-After` requests; null: no header, an invalid one, or a time in the past. */
export function secondsToWait(header: string | undefined, now: number): number | null {
  const value = header?.trim() ?? '';
  if (SECONDS.test(value)) return Number(value);
  const at = DATE.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(at) || at <= now ? null : (at - now) / 1000;
}
