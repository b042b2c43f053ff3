import { describe, expect, it } from 'vitest';
import type { SearchOptionsDto } from './search-options.dto.js';
import { resolveOptions, type EffectiveOptions } from './search-options.js';
import { EMBEDDER, RERANKER } from '../testing/model-descriptors.js';

const chatModel = { provider: 'builtin', model: 'extractive-v1', kind: 'extractive' } as const;

const resolve = (
  options: SearchOptionsDto,
  change: Partial<Parameters<typeof resolveOptions>[1]> = {},
): EffectiveOptions =>
  resolveOptions(options, { embedder: EMBEDDER, reranker: RERANKER, chatModel, topK: 10, pointer: '', ...change });

describe('resolveOptions', () => {
  it('fills in the documented defaults', () => {
    expect(resolve({})).toEqual({
      searchMethod: 'hybrid',
      candidateK: 200,
      onEmbeddingFailure: 'fail',
      fusion: { method: 'rrf', k: 60, vectorWeight: 0.0175 / 1.0175, byTrust: false },
      scoreThreshold: null,
      rerank: null,
      mmr: null,
      filter: null,
      vectors: 'ordering',
      expand: 'none',
    });
  });

  it('gives a trained embedding a share of the sum of scores, as far as it is trusted in the question’s language', () => {
    const semantic = { embedder: { ...EMBEDDER, kind: 'semantic' } } as const;
    const fusion = { method: 'weighted', k: 60, vectorWeight: 0.35, byTrust: true };
    expect(resolve({}, semantic).fusion).toEqual(fusion);
    expect(resolve({ fusion: { method: 'rrf' } }, semantic).fusion).toEqual({ ...fusion, method: 'rrf' });
    const asked = { ...fusion, vectorWeight: 0.4, byTrust: false };
    expect(resolve({ fusion: { vector_weight: 0.4 } }, semantic).fusion).toEqual(asked);
  });

  it('takes the weight of the request before its own', () => {
    expect(resolve({ fusion: { vector_weight: 0 } }).fusion.vectorWeight).toBe(0);
  });

  it('reranks when rerank is given and not switched off', () => {
    expect(resolve({ rerank: {} }).rerank).toEqual({ provider: 'builtin', model: 'r', topN: 50 });
    expect(resolve({ rerank: { enabled: false, top_n: 5 } }).rerank).toBeNull();
  });

  it('expands a question with the configured chat model, and names the setting where there is none', () => {
    const generative = { provider: 'p', model: 'c', kind: 'generative' } as const;
    const expansion = { method: 'multi_query', provider: 'p', model: 'c', version: 1 };
    expect(resolve({ query_expansion: 'multi_query' }, { chatModel: generative }).expansion).toEqual(expansion);
    expect(() => resolve({ query_expansion: 'hyde' })).toThrow(/CHAT_PROVIDER/);
  });

  it.each<[string, SearchOptionsDto, string, string]>([
    ['fewer candidates than results', { candidate_k: 9 }, 'http.validation_failed', '/candidate_k'],
    ['more to rerank than the model takes', { rerank: { top_n: 61 } }, 'http.validation_failed', '/rerank/top_n'],
    ['another provider', { rerank: { provider: 'cohere' } }, 'retrieval.option_not_available', '/rerank/provider'],
    ['query expansion', { query_expansion: 'hyde' }, 'retrieval.option_not_available', '/query_expansion'],
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
