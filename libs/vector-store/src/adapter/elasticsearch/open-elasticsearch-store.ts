import type { VectorStore } from '../../vector-store.port.js';

import { readConnection, type EngineSettings } from '../search-engine/engine-settings.js';
import { SearchEngineStore } from '../search-engine/search-engine-store.js';
import { ELASTICSEARCH } from './elasticsearch-dialect.js';
import { ElasticsearchTransport } from './elasticsearch-transport.js';

/** A store in Elasticsearch 9. Connects with the first call, so that a service starts while its store is down. */
export async function openElasticsearchStore(settings: EngineSettings): Promise<VectorStore> {
  const transport = new ElasticsearchTransport(await readConnection(settings));
  return new SearchEngineStore(transport, ELASTICSEARCH, settings.indexPrefix);
}
