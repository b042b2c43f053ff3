import type { ChatModelDescriptor, EmbedderDescriptor, RerankerDescriptor } from '#libs/ai';
import { validationFailed } from '#libs/http';
import { DEFAULT_RRF_K } from '#libs/ranking';
import type { Filter } from '#libs/vector-store';
import {
  CANDIDATE_K_DEFAULT,
  LAMBDA_DEFAULT,
  RERANK_TOP_N_DEFAULT,
  type FusionMethod,
  type FusionOptionsDto,
  type OnEmbeddingFailure,
  type QueryExpansion,
  type ResultExpansion,
  type SearchMethod,
  type SearchOptionsDto,
} from './search-options.dto.js';
import { EXPANSION_VERSION } from '../expansion/expansion-prompts.js';
import { GRAPH_PARAMETERS } from '../graph/graph-scores.js';
import { parseFilter } from './parse-filter.js';
import { reachParts } from './reach-parts.js';
import { retrievalErrors } from '../retrieval.errors.js';

/**
 * Weight of the hashed vector channel in reciprocal rank fusion beside the keyword channel's 1. Measured over development
 * collections: the largest weight at which hybrid is never worse than keyword alone. A hashed embedding knows letters, not
 * meaning, so it may settle near ties of the keyword list and no more.
 */
export const HASHED_VECTOR_WEIGHT = 0.0175;
/**
 * Share of the vector channel of a trained embedding in the weighted sum, where it is trusted wholly (`Calibration`). Measured with
 * an English and a multilingual model over the development collections in seven languages (docs/adr/0140): fusion by ranks loses 40 points
 * nDCG@10 in languages that a model does not know.
 */
export const SEMANTIC_VECTOR_SHARE = 0.35;

/** Ways in which a chat model expands a question. */
export type ExpansionMethod = Exclude<QueryExpansion, 'none'>;

/** The options of a search with every default filled in; everything that they request is available. */
export interface EffectiveOptions {
  readonly searchMethod: SearchMethod;
  readonly candidateK: number;
  /** Has no effect on results: a search that falls back is a search by words. */
  readonly onEmbeddingFailure: OnEmbeddingFailure;
  readonly fusion: {
    readonly method: FusionMethod;
    readonly k: number;
    /** Share of the vector channel, 0 to 1. */
    readonly vectorWeight: number;
    /** Whether the share is lowered where the model knows little of the question's language. */
    readonly byTrust: boolean;
  };
  readonly scoreThreshold: number | null;
  /** `id` where it is not the installation's own reranker. */
  readonly rerank: {
    readonly id?: string;
    readonly provider: string;
    readonly model: string;
    readonly topN: number;
  } | null;
  readonly mmr: { readonly lambda: number } | null;
  readonly filter: Filter | null;
  /**
   * Use of the vectors. `proposing`: a trained embedding, whose nearest neighbours are candidates beside those that words find. `ordering`: a
   * hashed embedding, which orders the candidates that words find, and adds candidates only where there are too few.
   */
  readonly vectors: 'proposing' | 'ordering';
  readonly expand: ResultExpansion;
  /** Present where the knowledge graph brings candidates. */
  readonly graph?: typeof GRAPH_PARAMETERS;
  /** Absent where a question is searched for as it is. */
  readonly expansion?: {
    readonly method: ExpansionMethod;
    readonly provider: string;
    readonly model: string;
    /** Of the prompts, and of how what they gave is searched for. */
    readonly version: number;
  };
  /**
   * Present where the datasets have several embedding models, whose cosines are not comparable: then vectors count by their rank among
   * those of the same model. By embedding space what the vectors of each are for, and their share.
   */
  readonly bySpace?: Readonly<Record<string, SpaceOptions>>;
}

/** How the vectors of one embedding model are used beside those of others. */
export interface SpaceOptions {
  readonly vectors: 'proposing' | 'ordering';
  readonly vectorWeight: number;
  readonly byTrust: boolean;
}

/** The facts that decide defaults and limits: the installation's models, and the fields of the request beside the options. */
export interface OptionFacts {
  readonly embedder: EmbedderDescriptor;
  /** All embedding models of the datasets, where there are several. */
  readonly embedders?: readonly EmbedderDescriptor[];
  readonly reranker: RerankerDescriptor;
  /** The models beside it that a search may name by their ids. */
  readonly furtherRerankers?: readonly { readonly id: string; readonly descriptor: RerankerDescriptor }[];
  /** Whether there is anything that knows graphs. Default: no. */
  readonly hasGraph?: boolean;
  readonly chatModel: Pick<ChatModelDescriptor, 'provider' | 'model' | 'kind'>;
  readonly topK: number;
  /** JSON pointer of the options in the body; empty for a search. */
  readonly pointer: string;
}

/**
 * Fills in defaults and makes the checks that concern several fields.
 * @throws `http.validation_failed` or `retrieval.option_not_available` with the pointer of the field.
 */
export function resolveOptions(options: SearchOptionsDto, facts: OptionFacts): EffectiveOptions {
  refuseUnavailable(options, facts);
  const expansion = resolveExpansion(options, facts);
  const candidateK = options.candidate_k ?? CANDIDATE_K_DEFAULT;
  if (candidateK < facts.topK) {
    throw validationFailed([
      {
        pointer: `${facts.pointer}/candidate_k`,
        code: 'min',
        detail: `candidate_k must not be less than top_k (${facts.topK})`,
      },
    ]);
  }
  const several = facts.embedders !== undefined && facts.embedders.length > 1 ? facts.embedders : undefined;
  return {
    searchMethod: options.search_method ?? 'hybrid',
    candidateK,
    onEmbeddingFailure: options.on_embedding_failure ?? 'fail',
    fusion: {
      ...resolveFusion(options.fusion ?? {}, facts.embedder),
      ...(several === undefined ? {} : { method: options.fusion?.method ?? 'rrf' }),
    },
    scoreThreshold: options.score_threshold ?? null,
    rerank: resolveRerank(options, facts),
    mmr: options.mmr === undefined ? null : { lambda: options.mmr.lambda ?? LAMBDA_DEFAULT },
    filter: options.filters === undefined ? null : reachParts(parseFilter(options.filters, `${facts.pointer}/filters`)),
    vectors: usageOf(facts.embedder),
    expand: options.expand ?? 'none',
    ...(options.use_kg === true ? { graph: GRAPH_PARAMETERS } : {}),
    ...(expansion === null ? {} : { expansion }),
    ...(several === undefined ? {} : { bySpace: resolveSpaces(options.fusion ?? {}, several) }),
  };
}

/**
 * Number of candidates from which on vectors that only order add none. It is more than `top_k` where a later step chooses among candidates, so
 * that the choice does not depend on `top_k`.
 */
export function enoughByWords({ rerank, mmr, candidateK, expansion }: EffectiveOptions, topK: number): number {
  if (expansion !== undefined) return candidateK;
  return rerank?.topN ?? (mmr === null ? topK : candidateK);
}

function usageOf({ kind }: EmbedderDescriptor): EffectiveOptions['vectors'] {
  return kind === 'hashed' ? 'ordering' : 'proposing';
}

function resolveSpaces(
  options: FusionOptionsDto,
  embedders: readonly EmbedderDescriptor[],
): NonNullable<EffectiveOptions['bySpace']> {
  return Object.fromEntries(
    embedders.map((embedder) => {
      const { vectorWeight, byTrust } = resolveFusion(options, embedder);
      return [embedder.space, { vectors: usageOf(embedder), vectorWeight, byTrust }];
    }),
  );
}

/** What the vectors of a space are for. */
export function vectorsOf(
  { vectors, bySpace }: Pick<EffectiveOptions, 'vectors' | 'bySpace'>,
  space: string,
): EffectiveOptions['vectors'] {
  return bySpace?.[space]?.vectors ?? vectors;
}

/** A share that the caller names holds for every question. */
function resolveFusion(options: FusionOptionsDto, { kind }: EmbedderDescriptor): EffectiveOptions['fusion'] {
  const isHashed = kind === 'hashed';
  const share = isHashed ? HASHED_VECTOR_WEIGHT / (1 + HASHED_VECTOR_WEIGHT) : SEMANTIC_VECTOR_SHARE;
  return {
    method: options.method ?? (isHashed ? 'rrf' : 'weighted'),
    k: options.k ?? DEFAULT_RRF_K,
    vectorWeight: options.vector_weight ?? share,
    byTrust: !isHashed && options.vector_weight === undefined,
  };
}

function resolveRerank(options: SearchOptionsDto, facts: OptionFacts): EffectiveOptions['rerank'] {
  const { rerank } = options;
  if (rerank === undefined || rerank.enabled === false) return null;
  const named = rerankerNamed(rerank.provider, facts);
  const { provider, model, maxDocuments } = named.descriptor;
  const topN = rerank.top_n ?? Math.min(RERANK_TOP_N_DEFAULT, maxDocuments);
  if (topN > maxDocuments) {
    throw validationFailed([
      {
        pointer: `${facts.pointer}/rerank/top_n`,
        code: 'max',
        detail: `top_n must not be greater than ${maxDocuments}, the maximum of ${model}`,
      },
    ]);
  }
  return { ...(named.id === undefined ? {} : { id: named.id }), provider, model, topN };
}

/** By the id that `GET /models` shows, or by the provider of the installation's own. */
function rerankerNamed(
  name: string | undefined,
  { reranker, furtherRerankers = [], pointer }: OptionFacts,
): { readonly id?: string; readonly descriptor: RerankerDescriptor } {
  const own = `${reranker.provider}-${reranker.model}`;
  if (name === undefined || name === reranker.provider || name === own) return { descriptor: reranker };
  const found = furtherRerankers.find(({ id }) => id === name);
  if (found !== undefined) return found;
  const known = [own, ...furtherRerankers.map(({ id }) => id)].join(' or ');
  throw refusal(
    `${pointer}/rerank/provider`,
    `rerank.provider ${name}`,
    `this installation reranks with ${reranker.provider}; the ids ${known} can be requested too (GET /models).`,
  );
}

function resolveExpansion(
  { query_expansion: method = 'none' }: SearchOptionsDto,
  { chatModel: { provider, model, kind }, pointer }: OptionFacts,
): EffectiveOptions['expansion'] | null {
  if (method === 'none') return null;
  if (kind === 'generative') return { method, provider, model, version: EXPANSION_VERSION };
  const reason = `it needs a chat model that writes text of its own, and ${model} only quotes. Omit it or send "none"; the operator of the service can set CHAT_PROVIDER and CHAT_MODEL.`;
  throw refusal(`${pointer}/query_expansion`, `query_expansion "${method}"`, reason);
}

function refuseUnavailable(options: SearchOptionsDto, { pointer, hasGraph = false }: OptionFacts): void {
  if (options.use_kg === true && !hasGraph)
    throw refusal(`${pointer}/use_kg`, 'use_kg', 'this service runs without knowledge graphs. Omit it or send false.');
}

function refusal(pointer: string, option: string, reason: string): Error {
  const errors = [{ pointer, code: 'not_available', detail: `not available: ${reason}` }];
  return retrievalErrors.option_not_available({ option, reason }, { errors });
}
