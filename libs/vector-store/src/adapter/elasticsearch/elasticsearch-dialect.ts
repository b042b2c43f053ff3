import type { EngineDialect } from '../search-engine/engine-dialect.js';

/** Elasticsearch 9. */
export const ELASTICSEARCH: EngineDialect = {
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
