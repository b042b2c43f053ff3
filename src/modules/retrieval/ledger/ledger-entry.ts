import { newId } from '#libs/common';
import type { Principal, RequestContext } from '#libs/tenancy';
import type { SearchTrace } from '../results/search-trace.js';
import type { KeptExplanation, LedgerEntry, RequestKind } from './request-ledger.entity.js';

/** What a request was, beside what the search did. */
export interface AnsweredRequest {
  readonly kind: RequestKind;
  /** As it was sent, without what must not be kept. */
  readonly request: object;
  readonly explanation?: KeptExplanation;
}

/** The ledger's row about an answered request. */
export function toLedgerEntry(ctx: RequestContext, answered: AnsweredRequest, trace: SearchTrace): LedgerEntry {
  const { results, evidence, report } = trace.outcome;
  return {
    id: newId(),
    request_id: ctx.requestId,
    principal: principalKey(ctx.principal),
    kind: answered.kind,
    request: { ...answered.request },
    effective: { ...trace.options, topK: trace.topK },
    datasets: trace.datasets.map(({ id, contentSeq }) => ({ id, content_seq: contentSeq })),
    config: trace.config,
    config_fingerprint: report.config_fingerprint,
    results: results.map(({ chunkId, documentId, datasetId, start, end, score }) => ({
      chunk_id: chunkId,
      document_id: documentId,
      dataset_id: datasetId,
      char_start: start,
      char_end: end,
      score,
    })),
    evidence,
    report: {
      counts: report.counts,
      timings_ms: report.timings_ms,
      warnings: report.warnings.map(({ code }) => code),
      ...(report.generated_queries === undefined ? {} : { generated_queries: report.generated_queries }),
    },
    explanation: answered.explanation ?? null,
    created_at: new Date(),
  };
}

/** The key under which a principal finds its requests; an API key finds only its own, not those of its account. */
export function principalKey(principal: Principal): string {
  switch (principal.kind) {
    case 'account':
      return `account:${principal.accountId}`;
    case 'api_key':
      return `api_key:${principal.keyId}`;
    case 'system':
      return 'system';
  }
}
