import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const LIMIT =
  'Validation Failed: 1: this action would add [1] shards, but this cluster currently has [1000]/[1000] maximum normal shards open;';

/** Why it makes no index: its limit of shards, or the block that it sets itself when its disks are full. */
const REFUSALS = {
  shards: { status: 400, blocks: {}, error: { type: 'validation_exception', reason: LIMIT } },
  disks: {
    status: 403,
    blocks: { indices: { 'kb-full': { '12': { levels: ['write'] } } } },
    error: {
      type: 'cluster_block_exception',
      reason: 'blocked by: [FORBIDDEN/10/cluster create-index blocked (api)];',
    },
  },
} as const;

/** Answers as Elasticsearch does whose cluster is healthy, holds no index yet and may not make one more. */
export class CrampedEngine {
  readonly url: string;

  private constructor(private readonly server: Server) {
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(lack: keyof typeof REFUSALS = 'shards'): Promise<CrampedEngine> {
    const server = createServer((request, response) => {
      request.resume();
      request.on('end', () => reply(response, request.method ?? '', request.url ?? '', REFUSALS[lack]));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new CrampedEngine(server);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

function reply(
  response: ServerResponse,
  method: string,
  path: string,
  refusal: (typeof REFUSALS)[keyof typeof REFUSALS],
): void {
  const send = (status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json', 'X-Elastic-Product': 'Elasticsearch' });
    response.end(method === 'HEAD' ? undefined : JSON.stringify(body));
  };
  if (path.startsWith('/_cluster/state')) return send(200, { blocks: refusal.blocks });
  if (path.startsWith('/_cluster')) return send(200, { status: 'green' });
  if (method === 'PUT') return send(refusal.status, { status: refusal.status, error: refusal.error });
  if (path.includes('*')) return send(200, {});
  return send(404, { error: { type: 'index_not_found_exception', reason: 'no such index' }, status: 404 });
}
