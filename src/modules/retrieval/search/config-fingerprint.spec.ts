import { describe, expect, it } from 'vitest';
import type { EmbedderDescriptor, RerankerDescriptor } from '#libs/ai';
import { KEYWORD_PARAMETERS, QUERY_PARAMETERS } from '#libs/ranking';
import { configFingerprint, searchConfig, type SearchInstallation } from './config-fingerprint.js';
import type { SearchOptionsDto } from '../request/search-options.dto.js';
import { resolveOptions } from '../request/search-options.js';
import { EMBEDDER, RERANKER } from '../testing/model-descriptors.js';

const chatModel = { provider: 'p', model: 'c', kind: 'generative' } as const;
const candidates = {
  store: 'embedded',
  exactVectorsBelow: 1000,
  firstOf200: 400,
  widening: 4,
  rounds: 3,
  postingsBytes: 1,
};

interface Change {
  readonly options?: SearchOptionsDto & { readonly top_k?: number };
  readonly datasets?: readonly string[];
  readonly embedder?: Partial<EmbedderDescriptor>;
  readonly reranker?: Partial<RerankerDescriptor>;
  readonly chatModel?: { readonly model: string };
  readonly installation?: Partial<SearchInstallation>;
}

function fingerprintOf(change: Change = {}): string {
  const descriptor = { ...EMBEDDER, ...change.embedder };
  const { top_k: topK = 10, ...given } = change.options ?? {};
  const models = { reranker: { ...RERANKER, ...change.reranker }, chatModel: { ...chatModel, ...change.chatModel } };
  const facts = { embedder: descriptor, ...models, topK, pointer: '' };
  const installation = { embedder: descriptor, candidates, ...change.installation };
  return configFingerprint(searchConfig(resolveOptions(given, facts), change.datasets ?? ['a', 'b'], installation));
}

describe('the fingerprint of a configuration', () => {
  it('is a SHA-256', () => expect(fingerprintOf()).toMatch(/^[0-9a-f]{64}$/));

  it.each<[string, Change, Change]>([
    ['the order of the datasets', { datasets: ['b', 'a'] }, {}],
    [
      'defaults that are written out',
      { options: { search_method: 'hybrid', candidate_k: 200, fusion: { k: 60 }, rerank: { enabled: false } } },
      {},
    ],
    [
      'the order of the fields of a filter',
      { options: { filters: { value: 1, key: 'metadata.a', type: 'eq' } } },
      { options: { filters: { type: 'eq', key: 'metadata.a', value: 1 } } },
    ],
    ['how many results are wanted', { options: { top_k: 50 } }, {}],
    ['what of the results is shown', { options: { include: [] } }, {}],
    ['a threshold that everything passes', { options: { score_threshold: 0 } }, {}],
    [
      'the fusion of a keyword search',
      { options: { search_method: 'keyword', fusion: { k: 5 } } },
      { options: { search_method: 'keyword' } },
    ],
    [
      'the constant of reciprocal ranks in a weighted sum',
      { options: { fusion: { method: 'weighted', k: 5 } } },
      { options: { fusion: { method: 'weighted' } } },
    ],
    [
      'the embedding of a keyword search',
      { options: { search_method: 'keyword' }, embedder: { model: 'other', space: 'other', dimensions: 8 } },
      { options: { search_method: 'keyword' } },
    ],
    ['the chat model of a search that is not expanded', { chatModel: { model: 'other' } }, {}],
    ['the reranker of a search that does not rerank', { reranker: { model: 'other' } }, {}],
    ['how much a model takes at once', { embedder: { maxBatchSize: 64 }, reranker: { maxDocuments: 70 } }, {}],
    [
      'the keyword formula of a search by vectors',
      { options: { search_method: 'vector' }, installation: { keyword: { k1: 2 } } },
      { options: { search_method: 'vector' } },
    ],
  ])('does not change with %s', (_what, one, other) => {
    expect(fingerprintOf(one)).toBe(fingerprintOf(other));
  });

  const reranking: SearchOptionsDto = { rerank: {} };
  it.each<[string, Change, Change?]>([
    ['the datasets', { datasets: ['a'] }],
    ['the embedding space', { embedder: { space: 'other' } }],
    ['the embedding model', { embedder: { model: 'other' } }],
    ['the provider of embeddings', { embedder: { provider: 'local' } }],
    ['the dimensions', { embedder: { dimensions: 8 } }],
    ['the kind of embedding, through the default weight', { embedder: { kind: 'semantic' } }],
    ['the vector store', { installation: { candidates: { ...candidates, store: 'opensearch' } } }],
    ['when nearest neighbours are exact', { installation: { candidates: { ...candidates, exactVectorsBelow: 5 } } }],
    ['how many candidates are asked for', { installation: { candidates: { ...candidates, firstOf200: 800 } } }],
    ['how candidates are widened', { installation: { candidates: { ...candidates, widening: 2 } } }],
    ['how often candidates are widened', { installation: { candidates: { ...candidates, rounds: 1 } } }],
    [
      'how large a dataset may be to be ranked whole',
      { installation: { candidates: { ...candidates, postingsBytes: 2 } } },
    ],
    ['a number of the keyword formula', { installation: { keyword: { ...KEYWORD_PARAMETERS, k1: 1.3 } } }],
    ['the weight of a leg', { installation: { keyword: { ...KEYWORD_PARAMETERS, legs: { words: 2 } } } }],
    ['the weight of query terms', { installation: { query: { ...QUERY_PARAMETERS, latinGrams: 0.5 } } }],
    ['the search method', { options: { search_method: 'keyword' } }],
    ['the other search method', { options: { search_method: 'vector' } }],
    ['candidate_k', { options: { candidate_k: 201 } }],
    ['the fusion method', { options: { fusion: { method: 'weighted' } } }],
    ['the constant of reciprocal ranks', { options: { fusion: { k: 61 } } }],
    ['the weight of vectors', { options: { fusion: { vector_weight: 0.3 } } }],
    ['the threshold', { options: { score_threshold: 0.2 } }],
    ['reranking', { options: reranking }],
    ['how many are reranked', { options: { rerank: { top_n: 20 } } }, { options: reranking }],
    ['the reranking model', { options: reranking, reranker: { model: 'other' } }, { options: reranking }],
    ['diversity', { options: { mmr: {} } }],
    ['how much diversity', { options: { mmr: { lambda: 0.1 } } }, { options: { mmr: {} } }],
    ['a filter', { options: { filters: { type: 'exists', key: 'tags' } } }],
    ['query expansion', { options: { query_expansion: 'multi_query' } }],
    [
      'the kind of query expansion',
      { options: { query_expansion: 'hyde' } },
      { options: { query_expansion: 'multi_query' } },
    ],
    [
      'the model that expands queries',
      { options: { query_expansion: 'hyde' }, chatModel: { model: 'other' } },
      { options: { query_expansion: 'hyde' } },
    ],
  ])('changes with %s', (_what, change, base = {}) => {
    expect(fingerprintOf(change)).not.toBe(fingerprintOf(base));
  });
});
