import { Injectable } from '@nestjs/common';
import {
  InstalledModels,
  type ChatModelDescriptor,
  type Embedder,
  type EmbedderDescriptor,
  type ModelCaller,
} from '#libs/ai';
import { mapBounded } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { VisibleDataset } from '../../datasets/index.js';
import { NOT_EXPANDED, type ExpandedQuery } from '../expansion/expanded-query.js';
import { QueryExpander } from './query-expander.service.js';
import type { DatasetContents } from '../snapshot/held-dataset.js';
import type { Calibrations } from '../scales/calibrated-space.js';
import { CalibrationFinder } from '../scales/calibrations.service.js';
import type { QueryVectors } from '../candidates/query-vectors.js';
import { refusalOf } from '../request/model-refusal.js';
import { DEADLINE_MS } from '../request/search-deadline.js';
import type { SearchPlan } from '../results/search-plan.js';

/** The vectors of a question and of what was generated from it; or the code of the error for which there is none, where the request goes on without. */
export interface EmbeddedQuery {
  readonly vectors: QueryVectors;
  /** Of each further phrasing, in their order; empty where the search needs none. */
  readonly further: readonly QueryVectors[];
  readonly failure: string | null;
}

const NONE: QueryVectors = new Map();
/** Models that are asked at once. */
const MODELS_AT_ONCE = 4;

/** Turns a question into what is searched for: the texts that a chat model adds, and vectors. */
@Injectable()
export class QueryEmbedding {
  constructor(
    private readonly models: InstalledModels,
    private readonly expander: QueryExpander,
    private readonly calibrations: CalibrationFinder,
  ) {}

  /**
   * The models of the datasets' vectors, each once, in the order of their spaces' names; those of datasets whose model is gone are
   * missing. The installation's own where none is left.
   */
  private modelsOf(datasets: readonly Pick<VisibleDataset, 'embeddingSpace'>[]): readonly [Embedder, ...Embedder[]] {
    const spaces = [...new Set(datasets.map(({ embeddingSpace }) => embeddingSpace))].toSorted();
    const [first, ...others] = spaces.flatMap((space) => this.models.embedderOf(space) ?? []);
    return first === undefined ? [this.models.embedders.own] : [first, ...others];
  }

  /** What options and fingerprints depend on of these models; the first represents all where there is one. */
  factsOf(datasets: readonly Pick<VisibleDataset, 'embeddingSpace' | 'isCalibrated'>[]): {
    readonly embedder: EmbedderDescriptor;
    readonly embedders: readonly EmbedderDescriptor[];
    readonly uncalibrated: readonly string[];
  } {
    const models = this.modelsOf(datasets);
    const older = datasets.filter(({ isCalibrated }) => !isCalibrated).map(({ embeddingSpace }) => embeddingSpace);
    const embedders = models.map(({ descriptor }) => descriptor);
    return { embedder: models[0].descriptor, embedders, uncalibrated: [...new Set(older)] };
  }

  get chatModel(): ChatModelDescriptor {
    return this.expander.descriptor;
  }

  /** Resolves when the models that run within the service are measured, which is done once. @throws the reason of `signal` after an abort */
  whenMeasured(signal?: AbortSignal): Promise<void> {
    return this.calibrations.whenMeasured(signal);
  }

  /** How cosines with the question count. @throws what a model throws that no one has measured yet */
  calibrate(ctx: RequestContext, plan: SearchPlan, contents: readonly DatasetContents[]): Promise<Calibrations> {
    return this.calibrations.find(ctx, plan, contents);
  }

  /** What the chat model makes of the question, where the search wants more than the question itself. */
  async expand(ctx: RequestContext, plan: SearchPlan): Promise<ExpandedQuery> {
    const { expansion, searchMethod } = plan.options;
    if (expansion === undefined) return NOT_EXPANDED;
    if (expansion.method === 'hyde' && searchMethod === 'keyword')
      return { texts: [], failure: 'a search with "keyword" uses no embeddings, so a passage has no effect' };
    return this.expander.expand(ctx, expansion.method, plan);
  }

  /** @throws what the model, or what is around it, throws, unless the request says that words alone do. */
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

  /** Once for each model: by space the vectors of the question and of what was generated from it. */
  private async ask(
    { tenantId }: RequestContext,
    plan: SearchPlan,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly Float32Array[]>> {
    const texts = [plan.query, ...plan.expanded.texts];
    const made = await plan.timer.measure('embedding', () =>
      mapBounded(this.modelsOf(plan.datasets), MODELS_AT_ONCE, async (embedder) => {
        const { space } = embedder.descriptor;
        const mine = plan.datasets.filter(({ embeddingSpace }) => embeddingSpace === space);
        const datasetIds = (mine.length === 0 ? plan.datasets : mine).map(({ id }) => id);
        const caller: ModelCaller = { tenantId, datasetIds, purpose: plan.purpose ?? 'search' };
        const { vectors } = await embedder.embed(texts, 'query', { signal, caller });
        return [space, vectors] as const;
      }),
    );
    return new Map(made);
  }
}

function withoutVectors({ options, expanded }: SearchPlan, failure: string | null): EmbeddedQuery {
  const phrasings = options.expansion?.method === 'multi_query' ? expanded.texts : [];
  return { vectors: NONE, further: phrasings.map(() => NONE), failure };
}

function embedded(
  { options, expanded }: SearchPlan,
  bySpace: ReadonlyMap<string, readonly Float32Array[]>,
): EmbeddedQuery {
  const pick = (choose: (vectors: readonly Float32Array[]) => Float32Array | null | undefined): QueryVectors =>
    new Map(
      [...bySpace].flatMap(([space, vectors]) => {
        const vector = choose(vectors) ?? null;
        return vector === null ? [] : [[space, vector] as const];
      }),
    );
  if (options.expansion?.method === 'hyde') return { vectors: pick(meanOf), further: [], failure: null };
  const further = expanded.texts.map((_, at) => pick((vectors) => vectors[at + 1]));
  return { vectors: pick(([vector]) => vector), further, failure: null };
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
