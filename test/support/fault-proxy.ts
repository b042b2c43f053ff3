import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { pipeline } from 'node:stream';

/** How the way to the server is. `silent`: connections are taken and nothing is ever answered. `cut`: they are reset. */
export type Fault =
  | { readonly kind: 'none' }
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'silent' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'status'; readonly status: number; readonly body?: string };

/** Is between a service and an HTTP server, and can be made to fail while connections are open. */
export class FaultProxy {
  readonly url: string;
  /** Requests that came since the start, whatever became of them. */
  requests = 0;
  private fault: Fault = { kind: 'none' };
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(target: string): Promise<FaultProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new FaultProxy(server, new URL(target));
    server.on('connection', (socket) => proxy.accept(socket));
    server.on('request', (incoming, outgoing) => proxy.handle(incoming, outgoing));
    return proxy;
  }

  /** From now on. What is under way is cut with `cut`, and gets no answer with `silent`. */
  set(fault: Fault): void {
    this.fault = fault;
    if (fault.kind === 'cut') for (const socket of this.sockets) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private accept(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    // A connection that breaks is what this is for.
    socket.on('error', () => undefined);
    if (this.fault.kind === 'cut') socket.resetAndDestroy();
  }

  private handle(incoming: IncomingMessage, outgoing: ServerResponse): void {
    this.requests += 1;
    const { fault } = this;
    if (fault.kind === 'slow') setTimeout(() => this.forward(incoming, outgoing), fault.ms);
    else if (fault.kind === 'status') answer(incoming, outgoing, fault.status, fault.body);
    else if (fault.kind === 'none') this.forward(incoming, outgoing);
    else incoming.resume();
  }

  private forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    // Who asked is gone while this held the request back.
    if (outgoing.destroyed) return;
    const { hostname, port } = this.target;
    const { method, url: path, headers } = incoming;
    const forwarded = request({ hostname, port, method, path, headers }, (response) => {
      // Newer Node throws where a pipeline would start into a closed stream.
      if (this.fault.kind === 'silent' || outgoing.destroyed) {
        response.resume();
        return;
      }
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      pipeline(response, outgoing, () => undefined);
    });
    // The server behind is gone: so is the connection to it.
    forwarded.on('error', () => incoming.socket.destroy());
    incoming.pipe(forwarded);
  }
}

function answer(incoming: IncomingMessage, outgoing: ServerResponse, status: number, body?: string): void {
  incoming.resume();
  incoming.on('end', () => {
    outgoing.writeHead(status, { 'content-type': 'application/json', 'X-Elastic-Product': 'Elasticsearch' });
    outgoing.end(body ?? JSON.stringify({ error: { type: 'unavailable', reason: 'made to fail' }, status }));
  });
}
