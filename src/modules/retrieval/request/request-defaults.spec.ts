import { describe, expect, it } from 'vitest';
import type { EmbedderDescriptor, RerankerDescriptor } from '#libs/ai';
import { problemsOf, applyDefaults, type DefaultsFacts } from './request-defaults.js';

const FACTS: DefaultsFacts = {
  embedder: { provider: 'builtin', kind: 'hashed' } as EmbedderDescriptor,
  reranker: { provider: 'builtin', model: 'r', kind: 'lexical', maxDocuments: 60 } as RerankerDescriptor,
  chatModel: { provider: 'builtin', model: 'extractive-v1', kind: 'extractive' },
};

const settle = (request: object, ofDatasets: readonly object[] = [], fallback: object = {}) =>
  applyDefaults(request, ofDatasets, fallback, FACTS);

describe('applyDefaults', () => {
  it('takes options of the request, then of its datasets, then of the caller of the search, then built-in defaults', () => {
    const fallback = { top_k: 8, expand: 'neighbours' };
    expect(settle({}).request).toEqual({ top_k: 10 });
    expect(settle({}, [{}], fallback).request).toEqual({ top_k: 8, expand: 'neighbours' });
    const both = [{ top_k: 3, expand: 'parent' }];
    expect(settle({ expand: undefined }, both, fallback).request).toEqual({ top_k: 3, expand: 'parent' });
    expect(settle({ expand: 'none', top_k: 50 }, both, fallback).request).toEqual({ top_k: 50, expand: 'none' });
  });

  it('treats an option as one value', () => {
    const { request } = settle({ rerank: { top_n: 7 }, fusion: {} }, [
      { rerank: { enabled: false, top_n: 3 }, fusion: { method: 'rrf' } },
    ]);
    expect(request).toEqual({ top_k: 10, rerank: { top_n: 7 }, fusion: {} });
  });

  it('ignores an option in which the datasets differ, and names it', () => {
    const datasets = [
      { top_k: 3, mmr: { lambda: 0.5 }, fusion: { k: 1, method: 'rrf' } },
      { mmr: { lambda: 0.6 }, fusion: { method: 'rrf', k: 1 } },
    ];
    const { request, defaults } = settle({}, datasets, { top_k: 8 });
    expect(request).toEqual({ top_k: 8, fusion: { method: 'rrf', k: 1 } });
    expect(defaults.differing).toEqual(['mmr', 'top_k']);
    expect(settle({ mmr: {}, top_k: 1 }, datasets).defaults.differing).toEqual([]);
  });

  it('never makes a request invalid by a default', () => {
    expect(settle({ top_k: 80 }, [{ candidate_k: 20 }]).request).toEqual({ top_k: 80, candidate_k: 80 });
    expect(settle({ candidate_k: 5 }, [{ top_k: 20 }]).request).toEqual({ top_k: 5, candidate_k: 5 });
    const { request, defaults } = settle({}, [
      { rerank: { provider: 'gone' }, query_expansion: 'hyde', score_threshold: 0.2 },
    ]);
    expect(request).toEqual({ top_k: 10, score_threshold: 0.2 });
    expect(defaults.unavailable).toEqual(['query_expansion', 'rerank']);
  });
});

describe('problemsOf', () => {
  it.each<[object, string[]]>([
    [{ top_k: 5, candidate_k: 5, rerank: { provider: 'builtin' }, query_expansion: 'none', use_kg: false }, []],
    [{ candidate_k: 1 }, []],
    [{ rerank: { provider: 'gone' } }, ['/rerank/provider']],
    [{ rerank: { top_n: 61 } }, ['/rerank/top_n']],
    [{ query_expansion: 'multi_query' }, ['/query_expansion']],
    [{ use_kg: true }, ['/use_kg']],
    [{ filters: { type: 'eq', key: 'nothing', value: 1 } }, ['/filters/key']],
  ])('says of %j what is wrong with %j', (options, pointers) => {
    expect(problemsOf(options, FACTS, '').map(({ pointer }) => pointer)).toEqual(pointers);
  });
});
