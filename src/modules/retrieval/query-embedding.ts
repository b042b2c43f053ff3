import { Injectable } from '@nestjs/common';
import { Embedder, type ChatModelDescriptor, type EmbedderDescriptor, type ModelCaller } from '#libs/ai';
import { catalogueErrorOf } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { NOT_EXPANDED, type ExpandedQuery } from './expansion/expanded-query.js';
import { QueryExpander } from './expansion/query-expander.js';
import { DEADLINE_MS } from './search-deadline.js';
import type { SearchPlan } from './search-plan.js';

/** The vectors of a question and of what was generated from it; or the code of the error for which there is none, where the request goes on without. */
export interface EmbeddedQuery {
  readonly vector: Float32Array | null;
  /** Of each further phrasing, in their order; null where the search needs none. */
  readonly further: readonly (Float32Array | null)[];
  readonly failure: string | null;
}

/** Makes of a question what is searched for: what a chat model adds to it, and vectors. */
@Injectable()
export class QueryEmbedding {
  constructor(
    private readonly embedder: Embedder,
    private readonly expander: QueryExpander,
  ) {}

  get descriptor(): EmbedderDescriptor {
    return this.embedder.descriptor;
  }

  get chatModel(): ChatModelDescriptor {
    return this.expander.descriptor;
  }

  /** What the chat model makes of the question, where the search wants more than the question itself. */
  async expand(ctx: RequestContext, plan: SearchPlan): Promise<ExpandedQuery> {
    const { expansion, searchMethod } = plan.options;
    if (expansion === undefined) return NOT_EXPANDED;
    if (expansion.method === 'hyde' && searchMethod === 'keyword')
      return { texts: [], failure: 'a search by keyword alone compares no passages' };
    return this.expander.expand(ctx, expansion.method, plan);
  }

  /** @throws what the model, or what stands around it, throws, unless the request says that words alone do. */
  async embed(ctx: RequestContext, plan: SearchPlan): Promise<EmbeddedQuery> {
    const { searchMethod, onEmbeddingFailure } = plan.options;
    if (searchMethod === 'keyword') return withoutVectors(plan, null);
    if (onEmbeddingFailure === 'fail') return embedded(plan, await this.ask(ctx, plan, plan.signal));
    // What searches by words then takes its time, too.
    const limit = AbortSignal.timeout(DEADLINE_MS / 2);
    try {
      return embedded(plan, await this.ask(ctx, plan, AbortSignal.any([plan.signal, limit])));
    } catch (error) {
      plan.signal.throwIfAborted();
      const failure = limit.aborted ? 'ai.provider_unavailable' : refusalOf(error);
      if (failure === undefined) throw error;
      return withoutVectors(plan, failure);
    }
  }

  private async ask(
    { tenantId }: RequestContext,
    plan: SearchPlan,
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    const datasetIds = plan.datasets.map(({ id }) => id);
    const caller: ModelCaller = { tenantId, datasetIds, purpose: 'search' };
    const { vectors } = await plan.timer.measure('embedding', () =>
      this.embedder.embed([plan.query, ...plan.expanded.texts], 'query', { signal, caller }),
    );
    return vectors;
  }
}

function withoutVectors({ options, expanded }: SearchPlan, failure: string | null): EmbeddedQuery {
  const phrasings = options.expansion?.method === 'multi_query' ? expanded.texts : [];
  return { vector: null, further: phrasings.map(() => null), failure };
}

function embedded({ options }: SearchPlan, vectors: readonly Float32Array[]): EmbeddedQuery {
  if (options.expansion?.method === 'hyde') return { vector: meanOf(vectors), further: [], failure: null };
  const [vector = null, ...further] = vectors;
  return { vector, further, failure: null };
}

/**
 * The mean of a question and a passage that might answer it, of length 1. Source: Gao, Ma, Lin and Callan, "Precise Zero-Shot Dense
 * Retrieval without Relevance Labels", ACL 2023.
 */
function meanOf(vectors: readonly Float32Array[]): Float32Array | null {
  const [first] = vectors;
  if (first === undefined || vectors.length === 1) return first ?? null;
  const units = vectors.map(unit);
  return unit(first.map((_, at) => units.reduce((sum, one) => sum + one[at]!, 0)));
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** Code of the error by which a model, or what stands around it, says no; undefined for a fault of our own. */
function refusalOf(error: unknown): string | undefined {
  const known = catalogueErrorOf(error);
  return known?.status === 429 || known?.status === 503 ? known.code : undefined;
}
