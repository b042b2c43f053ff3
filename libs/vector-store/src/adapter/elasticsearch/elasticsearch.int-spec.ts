import { describe } from 'vitest';
import { describeSearchEngine, useTestServer } from '../../testing/describe-search-engine.js';
import { describeSecuredEngine } from '../../testing/describe-secured-engine.js';
import { openElasticsearchStore } from './open-elasticsearch-store.js';

/** A server whose indexes may be dropped. */
const url = process.env['TEST_ELASTICSEARCH_URL'] ?? '';

describe.skipIf(url === '')('Elasticsearch at TEST_ELASTICSEARCH_URL', () => {
  const server = useTestServer(url);
  describeSearchEngine('elasticsearch', server, openElasticsearchStore);
  describeSecuredEngine('elasticsearch', server, openElasticsearchStore);
});
