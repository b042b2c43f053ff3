import type { AdapterPort } from '#libs/config';
import { elasticsearch } from './adapter/elasticsearch/elasticsearch.adapter.js';
import { lancedb } from './adapter/lancedb/lancedb.adapter.js';
import { opensearch } from './adapter/opensearch/opensearch.adapter.js';
import type { VectorStoreContext } from './define-vector-store.js';
import type { VectorStore } from './vector-store.port.js';

/** The stores of this product. A new one is a definition beside its adapter and a name here. */
export const VECTOR_STORES: AdapterPort<VectorStore, VectorStoreContext> = {
  setting: 'VECTOR_STORE',
  section: 'Vector store',
  description: 'Vector store: where chunks are kept for search.',
  fallback: lancedb.kind,
  adapters: [lancedb, elasticsearch, opensearch],
  announced: [],
};
