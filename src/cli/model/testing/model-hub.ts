import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request for a file, as the server saw it. */
export interface AskedFile {
  readonly path: string;
  readonly range: string | undefined;
}

const FILES_OF_A_PAGE = 2;
/** From the last byte to the cut. */
const GRACE_MS = 60;

/** Serves files as a hub of Hugging Face's kind does, and goes wrong where it is told to. Files above 1,000 bytes are large ones (LFS). */
export class ModelHub {
  readonly asked: AskedFile[] = [];
  /** Path → bytes after which the connection is cut, one for each request, the first of them first. */
  readonly cuts = new Map<string, number[]>();
  /** Path → SHA-256 that the list names instead of the right one. */
  readonly wrongChecksums = new Map<string, string>();
  /** Answers with the whole file whatever part is asked for. */
  ignoresRanges = false;
  /** Answers with the part that is asked for, of whatever version. */
  ignoresConditions = false;
  /** Statuses for the next requests of the list. */
  readonly listStatuses: number[] = [];
  version = 1;
  private readonly server: Server = createServer((request, response) => this.answer(request, response));

  constructor(readonly files: Map<string, Buffer>) {}

  async start(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://hub');
    if (url.pathname === '/api/models/acme/tiny/tree/main') return this.list(url, response);
    const path = decodeURIComponent(/^\/acme\/tiny\/resolve\/main\/(.+)$/.exec(url.pathname)?.[1] ?? '');
    const file = this.files.get(path);
    this.asked.push({ path, range: request.headers.range });
    if (file === undefined) {
      response.writeHead(404).end();
      return undefined;
    }
    return this.give(path, file, request, response);
  }

  /** Two files a page, so that the list has several. */
  private list(url: URL, response: ServerResponse): void {
    const status = this.listStatuses.shift();
    if (status !== undefined) {
      response.writeHead(status).end();
      return;
    }
    const entries = [...this.files].map(([path, bytes]) => this.entry(path, bytes));
    const from = Number(url.searchParams.get('cursor') ?? 0);
    const next = from + FILES_OF_A_PAGE;
    const more = next < entries.length ? { link: `<${url.pathname}?recursive=true&cursor=${next}>; rel="next"` } : {};
    response.writeHead(200, { 'content-type': 'application/json', ...more });
    response.end(JSON.stringify([{ type: 'directory', path: 'onnx', oid: '0' }, ...entries.slice(from, next)]));
  }

  private entry(path: string, bytes: Buffer): object {
    const named = this.wrongChecksums.get(path);
    const about = { type: 'file', path, size: bytes.length };
    if (bytes.length <= 1000) {
      const oid = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
      return { ...about, oid: named?.slice(0, 40) ?? oid };
    }
    const sha256 = named ?? createHash('sha256').update(bytes).digest('hex');
    return { ...about, oid: '0'.repeat(40), lfs: { oid: sha256, size: bytes.length, pointerSize: 134 } };
  }

  private give(path: string, file: Buffer, { headers }: IncomingMessage, response: ServerResponse): void {
    const etag = `"${path}-${this.version}"`;
    const [, start] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? [];
    const isSame = this.ignoresConditions || headers['if-range'] === undefined || headers['if-range'] === etag;
    const from = start === undefined || this.ignoresRanges || !isSame ? 0 : Number(start);
    const part = file.subarray(from);
    const range = from === 0 ? {} : { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` };
    response.writeHead(from === 0 ? 200 : 206, { etag, 'content-length': part.length, ...range });
    const cut = this.cuts.get(path)?.shift();
    if (cut === undefined) {
      response.end(part);
      return;
    }
    response.flushHeaders();
    // A client throws away what it has not read when the connection goes.
    response.write(part.subarray(0, cut), () => setTimeout(() => response.destroy(), GRACE_MS));
  }
}
