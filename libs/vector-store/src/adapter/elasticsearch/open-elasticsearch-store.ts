import type { VectorStore } from '../../vector-store.port.js';

import { readConnection, type EngineSettings } from '../search-engine/engine-settings.js';
import { SearchEngineStore } from '../search-engine/search-engine-store.js';
import { ElasticsearchTransport } from './elasticsearch-transport.js';
import type { EngineDialect } from '../search-engine/engine-dialect.js';

/** Elasticsearch 9. */
const ELASTICSEARCH: EngineDialect = {
  kind: 'elasticsearch',
  indexSettings: {},
  vectorField: (dimensions) => ({
    type: 'dense_vector',
    dims: dimensions,
    index: true,
    similarity: 'cosine',
    // Named, because the default quantises from 384 dimensions on.
    index_options: { type: 'hnsw', m: 16, ef_construction: 100 },
  }),
  nearest: (field, vector, candidates, filters) => ({
    knn: { field, query_vector: vector, k: candidates, num_candidates: candidates, filter: filters },
  }),
  openView: (index, keepAlive) => ({ method: 'POST', path: `/${index}/_pit`, query: { keep_alive: keepAlive } }),
  viewIdOf: (answer) => (answer as { id: string }).id,
  closeView: (id) => ({ method: 'DELETE', path: '/_pit', body: { id } }),
};

/** A store in Elasticsearch 9. Connects with the first call, so that a service starts while its store is down. */
export async function openElasticsearchStore(settings: EngineSettings): Promise<VectorStore> {
  const transport = new ElasticsearchTransport(await readConnection(settings));
  return new SearchEngineStore(transport, ELASTICSEARCH, settings.indexPrefix);
}
