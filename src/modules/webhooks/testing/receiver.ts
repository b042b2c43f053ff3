import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { SelfSigned } from './self-signed.js';

/** A received request. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly type: string;
}

/** Answer of a receiver; a response that it does not end stays open. */
export type Answer = (response: ServerResponse, received: Received) => void;

export const answerWith =
  (status: number, body = '', headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

/** An HTTP server on the loopback interface that records requests and answers as a test says. */
export class Receiver {
  readonly received: Received[] = [];
  answer: Answer = answerWith(200);

  private constructor(
    private readonly server: Server,
    private readonly scheme: 'http' | 'https',
  ) {}

  /** With a certificate it speaks HTTPS. */
  static async open(port = 0, certificate?: SelfSigned): Promise<Receiver> {
    const server = certificate === undefined ? createServer() : createSecureServer(certificate);
    const receiver = new Receiver(server, certificate === undefined ? 'http' : 'https');
    server.on('request', (request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const body = Buffer.concat(pieces).toString('utf8');
        const { type = '', data = {} } = body === '' ? {} : (JSON.parse(body) as Partial<Received>);
        const received = { path: request.url ?? '', headers: request.headers, body, type, data };
        receiver.received.push(received);
        receiver.answer(response, received);
      });
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(path = '/hook'): string {
    return this.urlAt('127.0.0.1', path);
  }

  /** Its address under another name. */
  urlAt(host: string, path = '/hook'): string {
    return `${this.scheme}://${host}:${this.port}${path}`;
  }

  /** Ids of the messages in the order of their arrival. */
  get ids(): string[] {
    return this.received.map(({ headers }) => String(headers['webhook-id']));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
