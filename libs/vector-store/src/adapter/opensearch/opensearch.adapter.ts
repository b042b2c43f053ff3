import { optionalText } from '#libs/config';
import { defineVectorStore } from '../../define-vector-store.js';
import { findConnectionProblems, INDEX_PREFIX, nodeUrls, SECTION } from '../search-engine/connection-settings.js';

const settings = {
  indexPrefix: INDEX_PREFIX,
  urls: nodeUrls(
    'OPENSEARCH_URL',
    'Addresses of the nodes of OpenSearch 3 with its k-NN plugin, separated by commas; for VECTOR_STORE=opensearch.',
  ),
  username: optionalText('OPENSEARCH_USERNAME', {
    section: SECTION,
    description: 'User name at OpenSearch; needs OPENSEARCH_PASSWORD.',
  }),
  password: optionalText('OPENSEARCH_PASSWORD', {
    section: SECTION,
    secret: true,
    description: 'Password of that login.',
  }),
  apiKey: optionalText('OPENSEARCH_API_KEY', {
    section: SECTION,
    secret: true,
    description: 'API key, sent as "Authorization: ApiKey …", instead of user name and password.',
  }),
  caFile: optionalText('OPENSEARCH_CA_FILE', {
    section: SECTION,
    description: 'File with the CA certificates (PEM) of the nodes, if Node does not trust them already.',
  }),
};

/** OpenSearch 3 with its k-NN plugin. */
export const opensearch = defineVectorStore({
  kind: 'opensearch',
  settings,
  required: ['urls'],
  processes: 'many',
  packages: ['@opensearch-project'],
  findProblems: (values, isChosen) => findConnectionProblems(settings, values, isChosen),
  open: async (values) => (await import('./open-opensearch-store.js')).openOpenSearchStore(values),
});
