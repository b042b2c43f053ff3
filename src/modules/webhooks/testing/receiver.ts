import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a receiver got. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly type: string;
}

/** How a receiver answers; what it does not end stays open. */
export type Answer = (response: ServerResponse, received: Received) => void;

export const answerWith =
  (status: number, body = '', headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

/** An HTTP server on the loopback interface that keeps what it gets and answers as a test says. */
export class Receiver {
  readonly received: Received[] = [];
  answer: Answer = answerWith(200);

  private constructor(private readonly server: Server) {}

  static async open(port = 0): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
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
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** Ids of the messages in the order in which they came. */
  get ids(): string[] {
    return this.received.map(({ headers }) => String(headers['webhook-id']));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
