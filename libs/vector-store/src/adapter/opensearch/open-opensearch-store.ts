import type { VectorStore } from '../../vector-store.port.js';
import { readConnection, type EngineSettings } from '../search-engine/engine-settings.js';
import { SearchEngineStore } from '../search-engine/search-engine-store.js';
import { OPENSEARCH } from './opensearch-dialect.js';
import { OpenSearchTransport } from './opensearch-transport.js';

/** A store in OpenSearch 3. Connects with the first call, so that a service starts while its store is down. */
export async function openOpenSearchStore(settings: EngineSettings): Promise<VectorStore> {
  const transport = new OpenSearchTransport(await readConnection(settings));
  return new SearchEngineStore(transport, OPENSEARCH, settings.indexPrefix);
}
