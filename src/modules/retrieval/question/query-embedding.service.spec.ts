import { describe, expect, it } from 'vitest';
import { EmbedderList, InstalledModels, ModelFailure, ModelList, type Embedder } from '#libs/ai';
import type { DatasetId, TenantId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { NOT_EXPANDED } from '../expansion/expanded-query.js';
import type { CalibrationFinder } from '../scales/calibrations.service.js';
import type { QueryExpander } from './query-expander.service.js';
import { QueryEmbedding } from './query-embedding.service.js';
import type { SearchPlan } from '../results/search-plan.js';
import { StepTimer } from '../request/step-timer.js';

const CTX = { tenantId: 't' as TenantId } as RequestContext;
const BUSY = new ModelFailure({ provider: 'p', model: 'm', kind: 'rate_limited' });

const NOTHING = new ModelList(null as never);

function planOf(onEmbeddingFailure: 'fail' | 'keyword', signal = new AbortController().signal): SearchPlan {
  const options = { searchMethod: 'hybrid', onEmbeddingFailure };
  const plan = {
    query: 'pump',
    options,
    expanded: NOT_EXPANDED,
    signal,
    timer: new StepTimer(),
    datasets: [{ id: 'd' as DatasetId }],
  };
  return plan as unknown as SearchPlan;
}

function embeddingOf(embed: Embedder['embed']): QueryEmbedding {
  const embedder = { embed, descriptor: { provider: 'test', model: 'm', space: 's' } } as unknown as Embedder;
  const models = new InstalledModels(new EmbedderList(embedder), NOTHING, NOTHING);
  return new QueryEmbedding(models, {} as QueryExpander, {} as CalibrationFinder);
}

describe('the embedding of a question', () => {
  it('names the tenant, the datasets and the purpose of the call', async () => {
    let caller: unknown;
    const embedding = embeddingOf(async (_texts, _purpose, options) => {
      caller = options?.caller;
      return {
        vectors: [new Float32Array([1])],
        usage: { inputTokens: 1, outputTokens: 0, requests: 1, isEstimated: false },
      };
    });
    expect(await embedding.embed(CTX, planOf('keyword'))).toEqual({
      vectors: new Map([['s', new Float32Array([1])]]),
      further: [],
      failure: null,
    });
    expect(caller).toEqual({ tenantId: 't', datasetIds: ['d'], purpose: 'search' });
  });

  it('fails as the model does, unless the request goes on by words', async () => {
    const embedding = embeddingOf(() => Promise.reject(BUSY));
    await expect(embedding.embed(CTX, planOf('fail'))).rejects.toBe(BUSY);
    expect(await embedding.embed(CTX, planOf('keyword'))).toEqual({
      vectors: new Map(),
      further: [],
      failure: 'ai.provider_unavailable',
    });
  });

  it('hides neither a programming error nor an abort by the caller', async () => {
    const fault = new TypeError('a defect');
    await expect(embeddingOf(() => Promise.reject(fault)).embed(CTX, planOf('keyword'))).rejects.toBe(fault);
    const gone = new Error('gone');
    const plan = planOf('keyword', AbortSignal.abort(gone));
    await expect(embeddingOf(() => Promise.reject(BUSY)).embed(CTX, plan)).rejects.toBe(gone);
  });
});
