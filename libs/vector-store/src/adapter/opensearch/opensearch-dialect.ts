import type { EngineDialect } from '../search-engine/engine-dialect.js';

/** OpenSearch 3 with its k-NN plugin. */
export const OPENSEARCH: EngineDialect = {
  kind: 'opensearch',
  // A write that is followed by a refresh would wait for vectors to be merged, for seconds.
  indexSettings: { 'index.knn': true, 'index.merge_on_flush.enabled': false },
  vectorField: (dimensions) => ({
    type: 'knn_vector',
    dimension: dimensions,
    // Named, because the default needs native libraries, and filters while it searches in this one.
    method: {
      name: 'hnsw',
      engine: 'lucene',
      space_type: 'cosinesimil',
      parameters: { m: 16, ef_construction: 100 },
    },
  }),
  nearest: (field, vector, candidates, filters) => ({
    knn: { [field]: { vector, k: candidates, filter: { bool: { filter: filters } } } },
  }),
  openView: (index, keepAlive) => ({
    method: 'POST',
    path: `/${index}/_search/point_in_time`,
    query: { keep_alive: keepAlive },
  }),
  viewIdOf: (answer) => (answer as { pit_id: string }).pit_id,
  closeView: (id) => ({ method: 'DELETE', path: '/_search/point_in_time', body: { pit_id: [id] } }),
};
