import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** Which requests get no answer: all, or those with content. */
export type Silence = 'all' | 'content' | 'none';

/**
 * How it refuses with 500. `endless`: a byte now and then, without an end. `endless head`: headers in the same way. `immense`: all that the
 * line carries. `late`: after four seconds.
 */
export type Refusal = 'endless' | 'endless head' | 'immense' | 'late' | 'none';

const NOW_AND_THEN_MS = 1_000;
const LATE_MS = 4_000;

/** Keeps one bucket in memory and can be made to take requests without ever answering, to refuse them, or to have no space left. */
export class SilentS3Server {
  silence: Silence = 'none';
  refusal: Refusal = 'none';
  /** Answered with 503 before anything else. */
  refusals = 0;
  /** While it is so content is answered as by a server whose disks are full. */
  isFull = false;
  /** While it is so a page is answered in its place with 200, as by a portal on the way, and nothing is kept. */
  isPortal = false;
  readonly objects = new Map<string, Buffer>();
  readonly endpoint: string;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    this.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
      // Clients give connections up, which is what this is for.
      socket.on('error', () => undefined);
    });
    server.on('request', (request, response) => void this.handle(request, response));
  }

  static async start(): Promise<SilentS3Server> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new SilentS3Server(server);
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const hasContent = request.method === 'PUT';
    if (this.silence === 'all' || (this.silence === 'content' && hasContent)) return;
    if (this.refusal !== 'none') return refuse(this.refusal, request.socket, response);
    const { pathname, searchParams } = new URL(request.url ?? '/', this.endpoint);
    if (this.isPortal) {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html><title>Sign in</title></html>');
    } else if (this.refusals > 0) {
      this.refusals -= 1;
      response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>');
    } else if (this.isFull && hasContent) {
      response.writeHead(507).end('<Error><Code>XMinioStorageFull</Code></Error>');
    } else if (searchParams.has('uploads')) {
      response.writeHead(200, { 'content-type': 'application/xml' });
      response.end('<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>');
    } else this.answer(request.method ?? '', pathname, Buffer.concat(chunks), response);
  }

  private answer(method: string, path: string, content: Buffer, response: ServerResponse): void {
    const known = this.objects.get(path);
    if (method === 'PUT') this.objects.set(path, content);
    if (method === 'DELETE') this.objects.delete(path);
    if (method === 'PUT') response.writeHead(200, { etag: '"1"' }).end();
    else if (method === 'DELETE') response.writeHead(204).end();
    else if (/^\/[^/]+\/?$/.test(path)) response.writeHead(200).end();
    else if (known === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-length': known.length }).end(method === 'HEAD' ? undefined : known);
  }
}

function refuse(how: Exclude<Refusal, 'none'>, socket: Socket, response: ServerResponse): void {
  const error = '<Error><Code>InternalError</Code></Error>';
  if (how === 'late') {
    setTimeout(() => response.writeHead(500).end(error), LATE_MS);
    return;
  }
  if (how === 'immense') {
    const piece = Buffer.alloc(64 * 1024, ' ');
    response.writeHead(500);
    const fill = (): boolean => !response.destroyed && response.write(piece);
    response.on('drain', fill);
    fill();
    return;
  }
  if (how === 'endless') response.writeHead(500).write('<Error>');
  else socket.write('HTTP/1.1 500 Internal Server Error\r\n');
  const timer = setInterval(
    () => (how === 'endless' ? response.write(' ') : socket.write('X-Wait: a\r\n')),
    NOW_AND_THEN_MS,
  );
  socket.on('close', () => clearInterval(timer));
}
