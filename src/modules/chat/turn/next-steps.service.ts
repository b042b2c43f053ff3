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

/** A change of a request that was seen to find passages which answer. */
export interface NextStep {
  /** What is taken out of the way. */
  readonly kind: EasierSearch['kind'];
  /** JSON Merge Patch of `retrieval` in the request. */
  readonly change: JsonObject;
}

/** What a refused question was searched with. */
export interface RefusedSearch {
  readonly search: SearchRequest;
  /** What that search did. */
  readonly trace: SearchTrace;
  /** Whether what another search found is answered. */
  readonly isAnswered: (outcome: RetrievalOutcome) => Promise<boolean>;
}

/** Looks for what a refused question could be asked with instead. Everything that it names has been tried. */
@Injectable()
export class NextSteps {
  constructor(private readonly retrieval: RecordedRetrieval) {}

  /** The least change that helps; null where none does, and where a further search fails. @throws the signal's reason */
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

  /** A refusal is without a next step: what a further search is refused or has no time for is no error of it. */
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
