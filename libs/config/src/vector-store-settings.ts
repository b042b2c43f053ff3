import { list, oneOf, optionalText, type Setting } from './setting.js';

const VECTORS = 'Vector store';
/** What an index may be called, with room for what follows. */
const PREFIX = /^[a-z][a-z0-9_-]{0,30}$/;

/** A list of addresses of nodes, each http or https. */
function nodeUrls(name: string, description: string): Setting<readonly string[]> {
  const setting = list(name, { section: VECTORS, secret: true, description });
  return {
    ...setting,
    parse: (text) => {
      const urls = setting.parse(text);
      const isNode = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
      if (!urls.every(isNode)) throw new Error('must be URLs that begin with http:// or https://, separated by commas');
      return urls;
    },
  };
}

/** Where chunks are indexed, and how the servers for it are reached. */
export const VECTOR_STORE_SETTINGS = {
  vectorStore: oneOf('VECTOR_STORE', ['embedded', 'elasticsearch', 'opensearch'], 'embedded', {
    section: VECTORS,
    description: 'Where chunks are indexed.',
  }),
  vectorStoreIndexPrefix: {
    name: 'VECTOR_STORE_INDEX_PREFIX',
    fallback: 'kb',
    section: VECTORS,
    description:
      'Beginning of the name of every index in Elasticsearch or OpenSearch, where several installations share a cluster.',
    parse: (text: string) => {
      if (!PREFIX.test(text)) {
        throw new Error('must begin with a lower-case letter and hold at most 31 lower-case letters, digits, - and _');
      }
      return text;
    },
  } satisfies Setting<string>,
  elasticsearchUrls: nodeUrls(
    'ELASTICSEARCH_URL',
    'Addresses of the nodes of Elasticsearch 9, separated by commas; for VECTOR_STORE=elasticsearch.',
  ),
  elasticsearchUsername: optionalText('ELASTICSEARCH_USERNAME', {
    section: VECTORS,
    description: 'Login at Elasticsearch; with ELASTICSEARCH_PASSWORD.',
  }),
  elasticsearchPassword: optionalText('ELASTICSEARCH_PASSWORD', {
    section: VECTORS,
    secret: true,
    description: 'Password of that login.',
  }),
  elasticsearchApiKey: optionalText('ELASTICSEARCH_API_KEY', {
    section: VECTORS,
    secret: true,
    description: 'API key as Elasticsearch encodes it, instead of a login.',
  }),
  elasticsearchCaFile: optionalText('ELASTICSEARCH_CA_FILE', {
    section: VECTORS,
    description: 'File with the certificates (PEM) that sign those of the nodes, where Node does not know them.',
  }),
  opensearchUrls: nodeUrls(
    'OPENSEARCH_URL',
    'Addresses of the nodes of OpenSearch 3 with its k-NN plugin, separated by commas; for VECTOR_STORE=opensearch.',
  ),
  opensearchUsername: optionalText('OPENSEARCH_USERNAME', {
    section: VECTORS,
    description: 'Login at OpenSearch; with OPENSEARCH_PASSWORD.',
  }),
  opensearchPassword: optionalText('OPENSEARCH_PASSWORD', {
    section: VECTORS,
    secret: true,
    description: 'Password of that login.',
  }),
  opensearchApiKey: optionalText('OPENSEARCH_API_KEY', {
    section: VECTORS,
    secret: true,
    description: 'API key, sent as "Authorization: ApiKey …", instead of a login.',
  }),
  opensearchCaFile: optionalText('OPENSEARCH_CA_FILE', {
    section: VECTORS,
    description: 'File with the certificates (PEM) that sign those of the nodes, where Node does not know them.',
  }),
} as const;

type Values = {
  readonly [K in keyof typeof VECTOR_STORE_SETTINGS]: (typeof VECTOR_STORE_SETTINGS)[K] extends Setting<infer T>
    ? T
    : never;
};

/** Problems among the settings of the vector store. */
export function findVectorStoreContradictions(settings: Values): string[] {
  const problems: string[] = [];
  for (const engine of ['elasticsearch', 'opensearch'] as const) {
    const name = engine.toUpperCase();
    const urls = settings[`${engine}Urls`];
    const login = [settings[`${engine}Username`], settings[`${engine}Password`]];
    const apiKey = settings[`${engine}ApiKey`];
    if (settings.vectorStore === engine && urls.length === 0) {
      problems.push(`${name}_URL: required with VECTOR_STORE=${engine}.`);
    }
    if (login.filter((part) => part !== undefined).length === 1) {
      problems.push(`${name}_USERNAME: a login needs both ${name}_USERNAME and ${name}_PASSWORD.`);
    }
    if (apiKey !== undefined && login.some((part) => part !== undefined)) {
      problems.push(`${name}_API_KEY: cannot be used together with ${name}_USERNAME and ${name}_PASSWORD.`);
    }
    if (
      settings[`${engine}CaFile`] !== undefined &&
      urls.length > 0 &&
      !urls.every((url) => url.startsWith('https:'))
    ) {
      problems.push(`${name}_CA_FILE: has no meaning unless every address in ${name}_URL begins with https://.`);
    }
  }
  return problems;
}
