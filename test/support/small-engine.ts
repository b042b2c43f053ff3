import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json, text } from 'node:stream/consumers';

type Json = Readonly<Record<string, unknown>>;
const WHOLE = { _shards: { total: 1, successful: 1, failed: 0 } };

/** As much of Elasticsearch as ingestion asks: it keeps indexes and the names of their rows, and searches nothing. For processes that share a store. */
export class SmallEngine {
  private readonly indexes = new Map<string, { readonly mappings: Json; readonly rows: Set<string> }>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<SmallEngine> {
    const server = createServer();
    const engine = new SmallEngine(server);
    server.on('request', (request, response) => {
      void engine
        .answer(request)
        .then(({ status, body }) =>
          response
            .writeHead(status, { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' })
            .end(JSON.stringify(body)),
        );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return engine;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Names of all rows. */
  get rows(): string[] {
    return [...new Set(this.indexes.values())].flatMap(({ rows }) => [...rows]);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const [, name = '', action = ''] = new URL(request.url ?? '/', this.url).pathname.split('/');
    if (name === '_cluster') return { status: 200, body: { status: 'green' } };
    if (name === '_search') return { status: 200, body: { hits: { hits: [] }, ...WHOLE } };
    if (name.startsWith('_') || name === '') return { status: 200, body: WHOLE };
    if (request.method === 'PUT' && action === '') return this.make(name, (await json(request)) as Json);
    const index = this.indexes.get(name);
    if (index === undefined) return { status: 404, body: { error: { type: 'index_not_found_exception' } } };
    if (action === '_mapping') return { status: 200, body: { [name]: { mappings: index.mappings } } };
    if (action === '_bulk') return { status: 200, body: write(index.rows, await text(request)) };
    if (action === '_count') return { status: 200, body: { count: index.rows.size, ...WHOLE } };
    return { status: 200, body: action === '_pit' ? { id: name, ...WHOLE } : WHOLE };
  }

  /** Under its aliases, which are all that the service asks by. */
  private make(name: string, { mappings, aliases }: Json): { status: number; body: unknown } {
    const index = { mappings: mappings as Json, rows: new Set<string>() };
    for (const alias of [name, ...Object.keys(aliases ?? {})]) this.indexes.set(alias, index);
    return { status: 200, body: { acknowledged: true } };
  }
}

function write(rows: Set<string>, lines: string): unknown {
  const items = [...lines.matchAll(/^\{"(index|update|delete)":\{"_id":"([^"]+)"/gm)].map(([, kind, id]) => {
    if (kind === 'index') rows.add(id!);
    if (kind === 'delete') rows.delete(id!);
    return { [kind!]: { _id: id, status: 200, result: kind === 'index' ? 'created' : 'updated' } };
  });
  return { errors: false, items };
}
