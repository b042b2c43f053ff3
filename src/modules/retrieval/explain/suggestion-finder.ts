import type { JsonObject, JsonValue, LowPriority } from '#libs/common';
import { CatalogueError } from '#libs/common';
import { mergePatch } from '../../datasets/index.js';
import type { ExplainSuggestion } from './explain-response.dto.js';
import { TOP_K_MAX, type RetrievalDefaults } from '../../ingestion-policy/index.js';
import { CANDIDATE_K_DEFAULT, TOP_K_DEFAULT } from '../request/search-options.dto.js';
import type { SearchRequest } from '../search/retrieval.service.js';
import type { SuggestedAction } from './explain-codes.js';
import type { Proposal } from './proposals.js';

const SUGGESTIONS_MAX = 5;
const SEARCHES_MAX = 20;
/** Milliseconds after which no further search is begun where a person waits. */
const BUDGET_MS = 6_000;

/** Where a replayed request returned what is expected. */
export interface FoundPlace {
  readonly rank: number;
  readonly score: number;
  /** Whether a chat would refuse the question with this request; null where no chat is explained, or it was not tried. */
  readonly isRefused: boolean | null;
}

/**
 * Searches with a request; undefined when what is expected is not among the results. A replay that only looks for the place, `isForPlace`, need
 * not try the answer of a chat.
 */
export type Replay = (request: SearchRequest, isForPlace: boolean) => Promise<FoundPlace | undefined>;

/** Tries changes of a request, and keeps those that return what is expected. */
export class SuggestionFinder {
  private readonly began = performance.now();
  private searches = 0;
  private readonly found: ExplainSuggestion[] = [];

  constructor(
    private readonly request: SearchRequest,
    private readonly replay: Replay,
    /** Options that hold where the request sets none. */
    private readonly defaults: RetrievalDefaults,
    /** Paces the searches. Then only their number is bounded, not their time, so that a slow machine gives the same answer. */
    private readonly lowPriority?: LowPriority,
  ) {}

  /** Tries them in order, as far as time allows. */
  async tryAll(proposals: readonly Proposal[]): Promise<void> {
    for (const proposal of proposals) {
      if (this.isSpent) return;
      await this.try(proposal);
    }
  }

  /** Those that were seen to work, by what they bring, the best first; at most five. */
  get suggestions(): readonly ExplainSuggestion[] {
    return this.found.toSorted(compareByGain).slice(0, SUGGESTIONS_MAX);
  }

  private get isSpent(): boolean {
    const isLate = this.lowPriority === undefined && performance.now() - this.began > BUDGET_MS;
    return isLate || this.searches >= SEARCHES_MAX;
  }

  /** The change as it is; where that returns nothing, with the smallest `top_k` that does. */
  private async try({ action, change }: Proposal): Promise<void> {
    if (Object.keys(change).length > 0 && (await this.verify(action, change))) return;
    const changed = apply(this.request, change);
    const place = await this.search(widened(changed, this.defaults, TOP_K_MAX), true);
    const topK = changed.top_k ?? this.defaults.top_k ?? TOP_K_DEFAULT;
    if (place === undefined || place.rank <= topK) return;
    const wider = mergePatch(change, differenceTo(changed, widened(changed, this.defaults, place.rank)));
    await this.verify(action, wider);
  }

  private async verify(action: SuggestedAction, change: JsonObject): Promise<boolean> {
    const place = await this.search(apply(this.request, change), false);
    if (place === undefined) return false;
    const isKnown = this.found.some((known) => JSON.stringify(known.change) === JSON.stringify(change));
    const description = `With ${describe(change)} it is returned at place ${place.rank}.`;
    const { isRefused: is_refused, ...where } = place;
    if (!isKnown) this.found.push({ action, description, change, verified: true, ...where, is_refused });
    return true;
  }

  /** A request that the service refuses returns nothing. */
  private async search(request: SearchRequest, isForPlace: boolean): Promise<FoundPlace | undefined> {
    this.searches += 1;
    const began = performance.now();
    try {
      return await this.replay(request, isForPlace);
    } catch (error) {
      if (error instanceof CatalogueError && error.status === 422) return undefined;
      throw error;
    } finally {
      await this.lowPriority?.pause(performance.now() - began);
    }
  }
}

/** First what lets the question be answered, then what brings the chunk further to the front; last what only returns more results. */
function compareByGain(one: ExplainSuggestion, other: ExplainSuggestion): number {
  return gainOf(one) - gainOf(other) || one.rank - other.rank;
}

function gainOf({ change, is_refused: isRefused }: ExplainSuggestion): number {
  return (isRefused === true ? 2 : 0) + (change['top_k'] === undefined ? 0 : 1);
}

function apply(request: SearchRequest, change: JsonObject): SearchRequest {
  return mergePatch(request as unknown as JsonObject, change) as unknown as SearchRequest;
}

/** The request with a larger `top_k`, and what else must be as large then. */
function widened(request: SearchRequest, defaults: RetrievalDefaults, topK: number): SearchRequest {
  const inForce = { ...defaults, ...request };
  const wanted = Math.max(topK, inForce.top_k ?? TOP_K_DEFAULT);
  const candidateK = inForce.candidate_k ?? CANDIDATE_K_DEFAULT;
  const { rerank } = inForce;
  const isReranked = rerank !== undefined && rerank.enabled !== false;
  const topN = rerank?.top_n;
  return {
    ...request,
    top_k: wanted,
    ...(candidateK < wanted ? { candidate_k: wanted } : {}),
    ...(isReranked && topN !== undefined && topN < wanted ? { rerank: { ...rerank, top_n: wanted } } : {}),
  };
}

function differenceTo(before: SearchRequest, after: SearchRequest): JsonObject {
  const changed: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(after) as [keyof SearchRequest, JsonValue][]) {
    if (JSON.stringify(before[key]) !== JSON.stringify(value)) changed[key] = value;
  }
  return changed;
}

function describe(change: JsonObject): string {
  return Object.entries(change)
    .map(([key, value]) => (value === null ? `${key} left out` : `${key} ${JSON.stringify(value)}`))
    .join(' and ');
}
