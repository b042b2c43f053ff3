import { Injectable } from '@nestjs/common';
import { catalogueErrorOf, type JsonObject } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { mergePatch } from '../../datasets/index.js';
import {
  easierSearches,
  RecordedRetrieval,
  type EasierSearch,
  type RecordedOptions,
  type RetrievalOutcome,
  type SearchRequest,
  type SearchTrace,
} from '../../retrieval/index.js';

/** A change of a request that was tried and finds passages which answer. */
export interface NextStep {
  /** What is removed from the search. */
  readonly kind: EasierSearch['kind'];
  /** JSON Merge Patch of `retrieval` in the request. */
  readonly change: JsonObject;
}

/** The search of a refused question. */
export interface RefusedSearch {
  readonly search: SearchRequest;
  /** What that search did. */
  readonly trace: SearchTrace;
  /** Whether what another search found is answered. */
  readonly isAnswered: (outcome: RetrievalOutcome) => Promise<boolean>;
}

/** Looks for changes of the request with which a refused question is answered. Every change that it names was tried. */
@Injectable()
export class NextSteps {
  constructor(private readonly retrieval: RecordedRetrieval) {}

  /** The smallest change that helps; null where none does, or a further search fails. @throws the signal's reason */
  async find(
    ctx: RequestContext,
    { search, trace, isAnswered }: RefusedSearch,
    options: RecordedOptions & { readonly signal: AbortSignal },
  ): Promise<NextStep | null> {
    for (const { kind, change } of easierSearches(trace)) {
      const changed = mergePatch(search as unknown as JsonObject, change) as unknown as SearchRequest;
      const outcome = await this.search(ctx, changed, options);
      if (outcome === undefined) return null;
      if (await isAnswered(outcome)) return { kind, change };
    }
    return null;
  }

  /** The refusal then has no next step: a further search that is refused or has no time left is not an error. */
  private async search(
    ctx: RequestContext,
    request: SearchRequest,
    { expanded: _expanded, ...options }: RecordedOptions & { readonly signal: AbortSignal },
  ): Promise<RetrievalOutcome | undefined> {
    try {
      return await this.retrieval.retrieve(ctx, request, { ...options, kind: null });
    } catch (error) {
      options.signal.throwIfAborted();
      if (catalogueErrorOf(error) === undefined) throw error;
      return undefined;
    }
  }
}
