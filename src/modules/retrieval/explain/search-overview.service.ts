import { Injectable, Optional } from '@nestjs/common';
import { inTurns, type DatasetId, type JsonObject } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { toFilterFacts, type FilterFactsRow } from '../../documents/index.js';
import { toLedgerEntry } from '../ledger/ledger-entry.js';
import type { RetrievedChunk } from '../results/retrieval-outcome.js';
import { RequestLedger } from '../ledger/request-ledger.service.js';
import { RetrievalService, type SearchRequest } from '../search/retrieval.service.js';
import type { RetrieveOptions } from '../results/retrieve-options.js';
import type { SearchTrace } from '../results/search-trace.js';
import { AnswerOutlook } from './answer-outlook.port.js';
import { toAnswer } from './explain-views.js';
import { ExplainRepository } from './explain.repository.js';
import { FilterCounts, partsOf } from './filter-counts.js';
import { toLeftOut, toOverviewFilters, toOverviewStages, toOverviewWords, toReturned } from './overview-views.js';
import { NEUTRAL } from './proposals.js';
import type { OverviewFilters, OverviewPassage, SearchOverview, SearchOverviewRequest } from './search-overview.dto.js';

/** Maximum number of documents that are counted for the conditions of a filter, and number of documents of one statement. */
const EXAMINED_MAX = 20_000;
const PAGE = 1_000;
/** Milliseconds after which counting ends; what was counted until then is told. */
const COUNTING_MS = 3_000;

const RETURNED_MAX = 3;
const NEAREST_MAX = 5;
const TOP_K_MAX = 100;

/** Describes a search without an expected document: by the search itself, and by a second search without filters, threshold and diversity. */
@Injectable()
export class SearchOverviewService {
  constructor(
    private readonly retrieval: RetrievalService,
    private readonly repository: ExplainRepository,
    private readonly ledger: RequestLedger,
    @Optional() private readonly outlook?: AnswerOutlook,
  ) {}

  /** Noted in the ledger as a search. @throws what a search throws. */
  async look(ctx: RequestContext, request: SearchOverviewRequest, signal: AbortSignal): Promise<SearchOverview> {
    const { purpose = 'search', follow_up: isFollowUp = false, ...search } = request;
    const chat = purpose === 'chat' ? this.outlook : undefined;
    const ofChat = chat && { fallback: chat.searchDefaults, isQuoted: chat.isQuoting, isFollowUp };
    const how = { signal, ...ofChat };
    const trace = await this.retrieval.trace(ctx, search, how);
    this.ledger.record(ctx.tenantId, toLedgerEntry(ctx, { kind: 'search', request: search }, trace));
    const { outcome } = trace;
    const answer = chat === undefined ? null : toAnswer(await chat.look(search.query, outcome, signal));
    return {
      request_id: ctx.requestId,
      stages: toOverviewStages(trace),
      words: toOverviewWords(search.query, trace),
      filters: await this.countFilters(ctx, search, trace, signal),
      returned: outcome.results.slice(0, RETURNED_MAX).map((chunk) => toReturned(chunk, trace)),
      nearest: await this.findNearest(ctx, search, trace, how),
      answer,
      retrieval: outcome.report,
    };
  }

  private async countFilters(
    ctx: RequestContext,
    search: SearchRequest,
    trace: SearchTrace,
    signal: AbortSignal,
  ): Promise<OverviewFilters | null> {
    const { filter } = trace.options;
    if (filter === null) return null;
    const written = (search.filters ?? trace.defaults.options.filters ?? filter) as JsonObject;
    const parts = partsOf(filter, written);
    const counts = new FilterCounts(parts);
    const until = performance.now() + COUNTING_MS;
    let isComplete = true;
    for (const { id } of trace.datasets) {
      isComplete = isComplete && (await this.countDataset(ctx, id, counts, { until, signal }));
    }
    return toOverviewFilters(parts, counts, isComplete);
  }

  /** Counts the documents of a dataset, the newest first; false: not all of them. */
  private async countDataset(
    ctx: RequestContext,
    id: DatasetId,
    counts: FilterCounts,
    { until, signal }: { readonly until: number; readonly signal: AbortSignal },
  ): Promise<boolean> {
    let after: FilterFactsRow | null = null;
    while (counts.examined < EXAMINED_MAX && performance.now() < until) {
      signal.throwIfAborted();
      const limit = Math.min(PAGE, EXAMINED_MAX - counts.examined);
      const rows: FilterFactsRow[] = await this.repository.listSearchableDocuments(ctx, id, { after, limit });
      await inTurns(counts.adding(rows.map(toFilterFacts)), { party: ctx.tenantId, signal });
      if (rows.length < limit) return true;
      after = rows.at(-1) ?? null;
    }
    return false;
  }

  /** What the search would return next, with the reason why each was left out. */
  private async findNearest(
    ctx: RequestContext,
    search: SearchRequest,
    trace: SearchTrace,
    how: RetrieveOptions,
  ): Promise<OverviewPassage[]> {
    const { options, topK, expanded, terms, outcome } = trace;
    const wider = Math.min(topK + NEAREST_MAX, TOP_K_MAX);
    const request: SearchRequest = {
      ...search,
      top_k: wider,
      candidate_k: Math.max(options.candidateK, wider),
      expand: 'none',
      include: ['text'],
      ...(options.filter === null ? {} : { filters: NEUTRAL.filters }),
      ...(options.scoreThreshold === null ? {} : { score_threshold: NEUTRAL.score_threshold }),
      ...(options.mmr === null ? {} : { mmr: NEUTRAL.mmr }),
    };
    const { outcome: found } = await this.retrieval.trace(ctx, request, { ...how, expanded, terms });
    const nearest = found.results.filter((chunk) => !isShownBy(outcome.results, chunk)).slice(0, NEAREST_MAX);
    const ids = [...new Set(nearest.map(({ documentId }) => documentId))];
    const documents = new Map((await this.repository.listDocuments(ctx, ids)).map((row) => [row.id, row]));
    return nearest.flatMap((chunk) => {
      const document = documents.get(chunk.documentId);
      return document === undefined ? [] : [toLeftOut(chunk, document, trace)];
    });
  }
}

/** Whether a chunk is one of the results, or part of the text that one of them shows around its own. */
function isShownBy(results: readonly RetrievedChunk[], { chunkId, documentId, start, end }: RetrievedChunk): boolean {
  return results.some(
    (shown) =>
      shown.chunkId === chunkId || (shown.documentId === documentId && shown.start <= start && shown.end >= end),
  );
}
