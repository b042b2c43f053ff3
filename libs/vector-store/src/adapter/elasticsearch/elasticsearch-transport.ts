import { Client, errors } from '@elastic/elasticsearch';
import {
  EngineFailure,
  type EngineAnswer,
  type EngineConnection,
  type EngineLimits,
  type EngineRequest,
  type EngineTransport,
} from '../search-engine/engine-transport.js';

/** Elasticsearch's own client: it chooses among the nodes and keeps connections; what is asked is ours. */
export class ElasticsearchTransport implements EngineTransport {
  private readonly client: Client;

  constructor({ nodes, username, password, apiKey, ca }: EngineConnection) {
    this.client = new Client({
      nodes: [...nodes],
      // A connection that the server closed while it rested fails once; another node may still answer.
      maxRetries: nodes.length,
      redaction: { type: 'remove' },
      ...(apiKey !== undefined && { auth: { apiKey } }),
      ...(username !== undefined && { auth: { username, password: password ?? '' } }),
      ...(ca !== undefined && { tls: { ca } }),
    });
  }

  async send(request: EngineRequest, { signal, timeoutMs }: EngineLimits): Promise<EngineAnswer> {
    const { method, path, query, body, lines } = request;
    try {
      const answer = await this.client.transport.request(
        {
          method,
          path,
          ...(query !== undefined && { querystring: query }),
          ...(body !== undefined && { body }),
          ...(lines !== undefined && { bulkBody: lines }),
        },
        { signal, requestTimeout: timeoutMs, meta: true },
      );
      return { status: answer.statusCode, body: answer.body };
    } catch (error) {
      if (error instanceof errors.ProductNotSupportedError) throw EngineFailure.ofAnotherProduct('Elasticsearch');
      if (!(error instanceof errors.ResponseError)) throw EngineFailure.unreachable(error);
      return { status: error.statusCode ?? 0, body: error.body as unknown };
    }
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
