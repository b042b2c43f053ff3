import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadSettings } from '#libs/config';
import { choicesOf } from '../../../config/src/testing/choices-of.js';
import { VECTOR_STORES } from '../vector-store-adapters.js';

const PORTS = choicesOf({ vectorStore: VECTOR_STORES });

function problemsOf(environment: Readonly<Record<string, string>>): string {
  try {
    loadSettings(PORTS, environment);
    return '';
  } catch (error) {
    return String(error);
  }
}

describe('settings of the vector store', () => {
  it.each(['elasticsearch', 'opensearch'])('%s needs its address', (kind) => {
    const name = `${kind.toUpperCase()}_URL`;
    expect(problemsOf({ VECTOR_STORE: kind })).toContain(`${name}: required`);
    expect(problemsOf({ VECTOR_STORE: kind, [name]: 'http://127.0.0.1:9200' })).toBe('');
  });

  it('takes several nodes, and nothing that is no address of one', () => {
    const urls = 'https://a.example:9200, https://b.example:9200';
    expect(loadSettings(PORTS, { OPENSEARCH_URL: urls }).adapterValues['OPENSEARCH_URL']).toEqual([
      'https://a.example:9200',
      'https://b.example:9200',
    ]);
    for (const wrong of ['a.example:9200', 'ftp://a.example', 'https://a.example,b']) {
      expect(problemsOf({ OPENSEARCH_URL: wrong })).toContain('OPENSEARCH_URL: its value must be URLs');
    }
  });

  it('keeps passwords in addresses out of its problems', () => {
    expect(problemsOf({ ELASTICSEARCH_URL: 'ftp://kb:secret-word@a.example' })).not.toContain('secret-word');
  });

  it.each([
    [{ ELASTICSEARCH_USERNAME: 'kb' }, 'ELASTICSEARCH_USERNAME: a login needs both'],
    [{ OPENSEARCH_PASSWORD: 'p' }, 'OPENSEARCH_USERNAME: a login needs both'],
    [
      { OPENSEARCH_USERNAME: 'kb', OPENSEARCH_PASSWORD: 'p', OPENSEARCH_API_KEY: 'k' },
      'OPENSEARCH_API_KEY: cannot be used together',
    ],
    [{ OPENSEARCH_URL: 'http://a.example', OPENSEARCH_CA_FILE: 'ca.pem' }, 'OPENSEARCH_CA_FILE: has no meaning'],
    [
      {
        VECTOR_STORE: 'elasticsearch',
        ELASTICSEARCH_URL: 'https://a.example',
        ELASTICSEARCH_CA_FILE: '/nowhere/ca.pem',
      },
      'ELASTICSEARCH_CA_FILE: the file cannot be read (ENOENT).',
    ],
    [
      {
        VECTOR_STORE: 'opensearch',
        OPENSEARCH_URL: 'https://a.example',
        OPENSEARCH_CA_FILE: fileURLToPath(import.meta.url),
      },
      'OPENSEARCH_CA_FILE: the file holds no certificate in PEM.',
    ],
    [{ VECTOR_STORE_INDEX_PREFIX: 'Kb*' }, 'VECTOR_STORE_INDEX_PREFIX: "Kb*" must begin'],
  ])('refuses %o', (environment, problem) => {
    expect(problemsOf(environment)).toContain(problem);
  });

  it('look at no file of certificates of a store that is not used', () => {
    expect(
      problemsOf({ ELASTICSEARCH_URL: 'https://a.example', ELASTICSEARCH_CA_FILE: '/nowhere/ca.pem' }),
    ).not.toContain('CA_FILE');
  });
});
