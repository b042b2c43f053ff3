import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#libs/tenancy';
import type { RetrievalOutcome } from '../results/retrieval-outcome.js';
import { RetrievalService, type SearchRequest } from '../search/retrieval.service.js';
import type { RetrieveOptions } from '../results/retrieve-options.js';
import type { SearchTrace } from '../results/search-trace.js';
import { toLedgerEntry } from './ledger-entry.js';
import type { RequestKind } from './request-ledger.entity.js';
import { RequestLedger } from './request-ledger.service.js';

export interface RecordedOptions extends RetrieveOptions {
  /** Null for a search within the service, which is not recorded. */
  readonly kind: RequestKind | null;
}

/** The search behind requests of callers: every answer is recorded in the ledger of requests. */
@Injectable()
export class RecordedRetrieval {
  constructor(
    private readonly retrieval: RetrievalService,
    private readonly ledger: RequestLedger,
  ) {}

  /** As `RetrievalService.retrieve`. The ledger is written after the answer. */
  async retrieve(ctx: RequestContext, request: SearchRequest, options: RecordedOptions): Promise<RetrievalOutcome> {
    return (await this.trace(ctx, request, options)).outcome;
  }

  /** As `RetrievalService.trace`. */
  async trace(
    ctx: RequestContext,
    request: SearchRequest,
    { kind, ...options }: RecordedOptions,
  ): Promise<SearchTrace> {
    const trace = await this.retrieval.trace(ctx, request, options);
    if (kind !== null) this.ledger.record(ctx.tenantId, toLedgerEntry(ctx, { kind, request }, trace));
    return trace;
  }
}
