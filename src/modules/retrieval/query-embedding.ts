import { Injectable } from '@nestjs/common';
import { Embedder, type EmbedderDescriptor, type ModelCaller } from '#libs/ai';
import { catalogueErrorOf } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { DEADLINE_MS } from './search-deadline.js';
import type { SearchPlan } from './search-plan.js';

/** The vector of a question; or the code of the error for which there is none, where the request goes on without. */
export interface EmbeddedQuery {
  readonly vector: Float32Array | null;
  readonly failure: string | null;
}

/** Embeds questions. */
@Injectable()
export class QueryEmbedding {
  constructor(private readonly embedder: Embedder) {}

  get descriptor(): EmbedderDescriptor {
    return this.embedder.descriptor;
  }

  /** @throws what the model, or what stands around it, throws, unless the request says that words alone do. */
  async embed(ctx: RequestContext, plan: SearchPlan): Promise<EmbeddedQuery> {
    const { searchMethod, onEmbeddingFailure } = plan.options;
    if (searchMethod === 'keyword') return { vector: null, failure: null };
    if (onEmbeddingFailure === 'fail') return { vector: await this.ask(ctx, plan, plan.signal), failure: null };
    // What searches by words then takes its time, too.
    const limit = AbortSignal.timeout(DEADLINE_MS / 2);
    try {
      return { vector: await this.ask(ctx, plan, AbortSignal.any([plan.signal, limit])), failure: null };
    } catch (error) {
      plan.signal.throwIfAborted();
      const failure = limit.aborted ? 'ai.provider_unavailable' : refusalOf(error);
      if (failure === undefined) throw error;
      return { vector: null, failure };
    }
  }

  private async ask({ tenantId }: RequestContext, plan: SearchPlan, signal: AbortSignal): Promise<Float32Array | null> {
    const datasetIds = plan.datasets.map(({ id }) => id);
    const caller: ModelCaller = { tenantId, datasetIds, purpose: 'search' };
    const { vectors } = await plan.timer.measure('embedding', () =>
      this.embedder.embed([plan.query], 'query', { signal, caller }),
    );
    return vectors[0] ?? null;
  }
}

/** Code of the error by which a model, or what stands around it, says no; undefined for a fault of our own. */
function refusalOf(error: unknown): string | undefined {
  const known = catalogueErrorOf(error);
  return known?.status === 429 || known?.status === 503 ? known.code : undefined;
}
