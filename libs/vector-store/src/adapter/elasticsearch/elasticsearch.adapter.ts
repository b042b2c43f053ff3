import { optionalText } from '#libs/config';
import { defineVectorStore } from '../../define-vector-store.js';
import { findConnectionProblems, INDEX_PREFIX, nodeUrls, SECTION } from '../search-engine/connection-settings.js';

const settings = {
  indexPrefix: INDEX_PREFIX,
  urls: nodeUrls(
    'ELASTICSEARCH_URL',
    'Addresses of the nodes of Elasticsearch 9, separated by commas; for VECTOR_STORE=elasticsearch.',
  ),
  username: optionalText('ELASTICSEARCH_USERNAME', {
    section: SECTION,
    description: 'User name at Elasticsearch; needs ELASTICSEARCH_PASSWORD.',
  }),
  password: optionalText('ELASTICSEARCH_PASSWORD', {
    section: SECTION,
    secret: true,
    description: 'Password of that login.',
  }),
  apiKey: optionalText('ELASTICSEARCH_API_KEY', {
    section: SECTION,
    secret: true,
    description: 'Encoded API key of Elasticsearch, instead of user name and password.',
  }),
  caFile: optionalText('ELASTICSEARCH_CA_FILE', {
    section: SECTION,
    description: 'File with the CA certificates (PEM) of the nodes, if Node does not trust them already.',
  }),
};

/** Elasticsearch 9. */
export const elasticsearch = defineVectorStore({
  kind: 'elasticsearch',
  settings,
  required: ['urls'],
  processes: 'many',
  packages: ['@elastic'],
  findProblems: (values, isChosen) => findConnectionProblems(settings, values, isChosen),
  open: async (values) => (await import('./open-elasticsearch-store.js')).openElasticsearchStore(values),
});
