import { describe } from 'vitest';
import { describeSearchEngine, useTestServer } from '../../testing/describe-search-engine.js';
import { describeSecuredEngine } from '../../testing/describe-secured-engine.js';
import { openOpenSearchStore } from './open-opensearch-store.js';

/** A server whose indexes may be dropped. */
const url = process.env['TEST_OPENSEARCH_URL'] ?? '';

describe.skipIf(url === '')('OpenSearch at TEST_OPENSEARCH_URL', () => {
  const server = useTestServer(url);
  describeSearchEngine('opensearch', server, openOpenSearchStore);
  describeSecuredEngine('opensearch', server, openOpenSearchStore);
});
