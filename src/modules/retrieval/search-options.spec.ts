import { describe, expect, it } from 'vitest';
import type { EmbedderDescriptor, RerankerDescriptor } from '#libs/ai';
import { configFingerprint } from './config-fingerprint.js';
import type { SearchOptionsDto } from './dto/search-options.dto.js';
import { resolveOptions, type EffectiveOptions } from './search-options.js';

const embedder: EmbedderDescriptor = {
  provider: 'builtin',
  model: 'm',
  dimensions: 4,
  space: 's',
  kind: 'hashed',
  maxBatchSize: 1,
  maxInputTokens: 1,
};
const reranker: RerankerDescriptor = {
  provider: 'builtin',
  model: 'r',
  kind: 'lexical',
  maxDocuments: 60,
  maxDocumentChars: 100,
};

const resolve = (
  options: SearchOptionsDto,
  change: Partial<Parameters<typeof resolveOptions>[1]> = {},
): EffectiveOptions => resolveOptions(options, { embedder, reranker, topK: 10, pointer: '', ...change });

describe('resolveOptions', () => {
  it('fills in the documented defaults', () => {
    expect(resolve({})).toEqual({
      searchMethod: 'hybrid',
      candidateK: 200,
      fusion: { method: 'rrf', k: 60, vectorWeight: 0.0175 / 1.0175 },
      scoreThreshold: null,
      rerank: null,
      mmr: null,
      filter: null,
    });
  });

  it('counts a trained embedding as much as the keywords', () => {
    expect(resolve({}, { embedder: { ...embedder, kind: 'semantic' } }).fusion.vectorWeight).toBe(0.5);
  });

  it('takes the weight of the request before its own', () => {
    expect(resolve({ fusion: { vector_weight: 0 } }).fusion.vectorWeight).toBe(0);
  });

  it('reranks when rerank is given and not switched off', () => {
    expect(resolve({ rerank: {} }).rerank).toEqual({ provider: 'builtin', model: 'r', topN: 50 });
    expect(resolve({ rerank: { enabled: false, top_n: 5 } }).rerank).toBeNull();
  });

  it.each<[string, SearchOptionsDto, string, string]>([
    ['fewer candidates than results', { candidate_k: 9 }, 'http.validation_failed', '/candidate_k'],
    ['more to rerank than the model takes', { rerank: { top_n: 61 } }, 'http.validation_failed', '/rerank/top_n'],
    ['another provider', { rerank: { provider: 'cohere' } }, 'retrieval.option_not_available', '/rerank/provider'],
    ['query expansion', { query_expansion: 'hyde' }, 'retrieval.option_not_available', '/query_expansion'],
    ['result expansion', { expand: 'parent' }, 'retrieval.option_not_available', '/expand'],
    ['the knowledge graph', { use_kg: true }, 'retrieval.option_not_available', '/use_kg'],
    ['a filter', { filters: { type: 'x' } }, 'http.validation_failed', '/filters/type'],
  ])('refuses %s with the place in the body of the caller', (_what, options, code, place) => {
    const refused = expect.objectContaining({
      status: 422,
      code,
      errors: [expect.objectContaining({ pointer: `/retrieval${place}` })],
    });
    expect(() => resolve(options, { pointer: '/retrieval' })).toThrow(refused);
  });
});

describe('configFingerprint', () => {
  const of = (options: SearchOptionsDto, datasets = ['a', 'b'], space = 's'): string =>
    configFingerprint(resolve(options), datasets, space);

  it('is the same for the same configuration, however it is written', () => {
    expect(of({})).toMatch(/^[0-9a-f]{64}$/);
    expect(of({}, ['b', 'a'])).toBe(of({}));
    expect(of({ search_method: 'hybrid', candidate_k: 200, fusion: { k: 60 }, rerank: { enabled: false } })).toBe(
      of({}),
    );
    expect(of({ filters: { value: 1, key: 'metadata.a', type: 'eq' } })).toBe(
      of({ filters: { type: 'eq', key: 'metadata.a', value: 1 } }),
    );
  });

  it('does not look at options without effect', () => {
    expect(of({ search_method: 'keyword', fusion: { k: 5 } })).toBe(of({ search_method: 'keyword' }));
    expect(of({ fusion: { method: 'weighted', k: 5 } })).toBe(of({ fusion: { method: 'weighted' } }));
    expect(of({ score_threshold: 0 })).toBe(of({}));
  });

  it('differs when anything differs that can change a result', () => {
    const all = [
      of({}),
      of({}, ['a']),
      of({}, ['a', 'b'], 'other'),
      of({ search_method: 'keyword' }),
      of({ search_method: 'vector' }),
      of({ candidate_k: 201 }),
      of({ fusion: { method: 'weighted' } }),
      of({ fusion: { k: 61 } }),
      of({ fusion: { vector_weight: 0.3 } }),
      of({ score_threshold: 0.2 }),
      of({ rerank: {} }),
      of({ rerank: { top_n: 20 } }),
      of({ mmr: {} }),
      of({ filters: { type: 'exists', key: 'tags' } }),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});
