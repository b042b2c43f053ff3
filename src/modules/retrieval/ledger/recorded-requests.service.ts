import { Injectable } from '@nestjs/common';
import { CatalogueError, type JsonObject } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import type { ReplayReport, RequestRecord } from './request-record.dto.js';
import { retrievalErrors } from '../retrieval.errors.js';
import { RetrievalService } from '../search/retrieval.service.js';
import type { SearchTrace } from '../results/search-trace.js';
import { toLedgerEntry } from './ledger-entry.js';
import { pinnedRequest } from './pinned-request.js';
import { compareAnswers, compareConfigs, compareContents, placed, type PlacedResult } from './replay-differences.js';
import { toReplayReport, toRequestRecord } from './request-views.js';
import type { LedgerEntry } from './request-ledger.entity.js';
import { RequestLedger } from './request-ledger.service.js';
import { RequestLedgerRepository } from './request-ledger.repository.js';

/** What a request id can be; anything else is simply not found. */
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** What a request asked. */
export interface OwnRequest {
  /** Of its row in the ledger. */
  readonly id: string;
  readonly requestId: string;
  /** What was searched for. */
  readonly question: string;
  readonly datasetIds: readonly string[];
}

/** Reads the ledger of requests and replays its entries. Both show only what the caller may currently see. */
@Injectable()
export class RecordedRequestsService {
  constructor(
    private readonly repository: RequestLedgerRepository,
    private readonly ledger: RequestLedger,
    private readonly retrieval: RetrievalService,
    private readonly access: DatasetAccess,
  ) {}

  /** The caller's newest request under the id. @throws `retrieval.request_not_found` */
  async get(ctx: RequestContext, requestId: string): Promise<RequestRecord> {
    const entry = await this.requireEntry(ctx, requestId);
    return toRequestRecord(entry, await this.findVisible(ctx, entry));
  }

  /** What the caller's newest request under the id asked, for who keeps something beside it. @throws `retrieval.request_not_found` */
  async identify(ctx: RequestContext, requestId: string): Promise<OwnRequest> {
    const { id, request, datasets } = await this.requireEntry(ctx, requestId);
    const question = typeof request['query'] === 'string' ? request['query'] : '';
    return { id, requestId, question, datasetIds: datasets.map((dataset) => dataset.id) };
  }

  /**
   * Repeats the search with its former options over the datasets that are still visible, and compares the results.
   * @throws `retrieval.request_not_found`, `retrieval.not_replayable`, and what a search throws.
   */
  async replay(ctx: RequestContext, requestId: string, signal: AbortSignal): Promise<ReplayReport> {
    const entry = await this.requireEntry(ctx, requestId);
    const ids = entry.datasets.map(({ id }) => id);
    const datasets = new Set<string>((await this.access.listVisible(ctx, ids)).map(({ id }) => id));
    const before = await this.findVisible(ctx, entry);
    const now = ids.filter((id) => datasets.has(id));
    const trace = now.length === 0 ? null : await this.search(ctx, entry, now, signal);
    const again = trace === null ? null : toLedgerEntry(ctx, { kind: entry.kind, request: {} }, trace);
    const after = placed(again?.results ?? []);
    const contents = new Map((again?.datasets ?? []).map(({ id, content_seq }) => [id as string, content_seq]));
    return toReplayReport(ctx.requestId, entry, {
      fingerprint: again?.config_fingerprint ?? null,
      changedConfig: again === null ? [] : compareConfigs(withDatasets(entry.config, now), again.config),
      changedContent: compareContents(entry.datasets, contents),
      hiddenDatasets: ids.length - now.length,
      hiddenResults: entry.results.length - before.length,
      results: after,
      differences: compareAnswers(before, after),
    });
  }

  private async search(
    ctx: RequestContext,
    entry: LedgerEntry,
    datasetIds: readonly string[],
    signal: AbortSignal,
  ): Promise<SearchTrace> {
    try {
      return await this.retrieval.trace(ctx, pinnedRequest(entry, datasetIds), {
        signal,
        isPinned: true,
        expanded: { texts: entry.report.generated_queries ?? [], failure: null },
      });
    } catch (error) {
      if (!(error instanceof CatalogueError) || error.status !== 422) throw error;
      throw retrievalErrors.not_replayable({ reason: error.message }, { cause: error });
    }
  }

  private async requireEntry(ctx: RequestContext, requestId: string): Promise<LedgerEntry> {
    await this.ledger.flush();
    const entry = REQUEST_ID.test(requestId) ? await this.repository.findNewest(ctx, requestId) : undefined;
    if (entry === undefined) throw retrievalErrors.request_not_found({ id: requestId });
    return entry;
  }

  /** The results that the caller may see now, at the places that they had. */
  private async findVisible(ctx: RequestContext, entry: LedgerEntry): Promise<PlacedResult[]> {
    const documents = [...new Set(entry.results.map(({ document_id }) => document_id))];
    const visible = await this.repository.findVisibleDocuments(ctx, documents);
    return placed(entry.results).filter(({ document_id }) => visible.has(document_id));
  }
}

/** A configuration as it would be for fewer datasets: those that are out of sight are told apart from a change of it. */
function withDatasets(config: JsonObject, ids: readonly string[]): JsonObject {
  return { ...config, datasets: ids.toSorted() };
}
