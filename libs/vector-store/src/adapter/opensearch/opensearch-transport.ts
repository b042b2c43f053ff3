import { Client, errors } from '@opensearch-project/opensearch';
import {
  EngineFailure,
  type EngineAnswer,
  type EngineConnection,
  type EngineLimits,
  type EngineRequest,
  type EngineTransport,
} from '../search-engine/engine-transport.js';

/** With this header Elasticsearch says what it is, in every answer. */
const OTHER_PRODUCT = 'x-elastic-product';

/** OpenSearch's own client: it chooses among the nodes and keeps connections; what is asked is ours. */
export class OpenSearchTransport implements EngineTransport {
  private readonly client: Client;

  constructor({ nodes, username, password, apiKey, ca }: EngineConnection) {
    this.client = new Client({
      nodes: [...nodes],
      // A connection that the server closed while it rested fails once; another node may still answer.
      maxRetries: nodes.length,
      // A ping would be a request to `/`, which needs rights that a service should not have.
      resurrectStrategy: 'optimistic',
      ...(apiKey !== undefined && { headers: { authorization: `ApiKey ${apiKey}` } }),
      ...(username !== undefined && { auth: { username, password: password ?? '' } }),
      ...(ca !== undefined && { ssl: { ca } }),
    });
  }

  async send(request: EngineRequest, { signal, timeoutMs }: EngineLimits): Promise<EngineAnswer> {
    const { method, path, query, body, lines } = request;
    signal.throwIfAborted();
    const sending = this.client.transport.request(
      {
        method,
        path,
        ...(query !== undefined && { querystring: query }),
        ...(body !== undefined && { body }),
        ...(lines !== undefined && { bulkBody: lines }),
      },
      { requestTimeout: timeoutMs },
    );
    // This client knows no signals. Its `abort` gives the request back, a thenable, which a listener must not return: Node would
    // throw its rejection as an exception of no one's.
    const giveUp = (): void => {
      sending.abort();
    };
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      const answer = await sending;
      requireOpenSearch(answer.headers);
      return { status: answer.statusCode ?? 0, body: answer.body as unknown };
    } catch (error) {
      if (error instanceof EngineFailure) throw error;
      if (!(error instanceof errors.ResponseError)) throw EngineFailure.unreachable(error);
      requireOpenSearch(error.headers);
      return { status: error.statusCode, body: error.body };
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** @throws EngineFailure for an answer of Elasticsearch */
function requireOpenSearch(headers: Readonly<Record<string, unknown>> | null): void {
  if (headers?.[OTHER_PRODUCT] !== undefined) throw EngineFailure.ofAnotherProduct('OpenSearch');
}
