import type { ReplayCause, ReplayReport, RequestRecord } from './request-record.dto.js';
import type { AnswerDifferences, ChangedContent, PlacedResult } from './replay-differences.js';
import type { LedgerEntry } from './request-ledger.entity.js';

/** An entry as its caller sees it, with the results that are currently visible to the caller. */
export function toRequestRecord(entry: LedgerEntry, visible: readonly PlacedResult[]): RequestRecord {
  const { explanation } = entry;
  return {
    id: entry.id,
    request_id: entry.request_id,
    kind: entry.kind,
    created_at: entry.created_at.toISOString(),
    request: entry.request,
    config_fingerprint: entry.config_fingerprint,
    config: entry.config,
    results: [...visible],
    hidden_results: entry.results.length - visible.length,
    counts: entry.report.counts,
    timings_ms: entry.report.timings_ms,
    warnings: [...entry.report.warnings],
    generated_queries: [...(entry.report.generated_queries ?? [])],
    explanation:
      explanation === null
        ? null
        : {
            verdict: explanation.verdict,
            code: explanation.code,
            expected: {
              document_id: explanation.expected.document_id ?? null,
              chunk_id: explanation.expected.chunk_id ?? null,
            },
          },
  };
}

/** Outcome of a replay. */
export interface ReplayFindings {
  /** Null when nothing could be searched. */
  readonly fingerprint: string | null;
  readonly changedConfig: readonly string[];
  readonly changedContent: readonly ChangedContent[];
  readonly hiddenDatasets: number;
  readonly hiddenResults: number;
  readonly results: readonly PlacedResult[];
  readonly differences: AnswerDifferences;
}

export function toReplayReport(requestId: string, entry: LedgerEntry, found: ReplayFindings): ReplayReport {
  const { added, removed, moved, rescored } = found.differences;
  const differs = [added, removed, moved, rescored].some((list) => list.length > 0) || found.hiddenResults > 0;
  return {
    request_id: requestId,
    record_id: entry.id,
    replayed_request_id: entry.request_id,
    created_at: entry.created_at.toISOString(),
    identical: !differs,
    config_fingerprint_before: entry.config_fingerprint,
    config_fingerprint_after: found.fingerprint,
    changed_config: [...found.changedConfig],
    changed_content: [...found.changedContent],
    hidden_datasets: found.hiddenDatasets,
    hidden_results: found.hiddenResults,
    causes: differs ? causesOf(found) : [],
    results: [...found.results],
    added: [...added],
    removed: [...removed],
    moved: [...moved],
    rescored: [...rescored],
  };
}

function causesOf(found: ReplayFindings): ReplayCause[] {
  const causes: ReplayCause[] = [];
  const { changedContent, changedConfig, hiddenDatasets, hiddenResults } = found;
  if (changedContent.length > 0) {
    const ids = changedContent.map(({ dataset_id }) => dataset_id).join(', ');
    causes.push({ code: 'CONTENT_CHANGED', detail: `The visible content of these datasets has changed: ${ids}.` });
  }
  if (changedConfig.length > 0) {
    const detail = `Parts of the configuration that options do not determine have changed: ${changedConfig.join(', ')}.`;
    causes.push({ code: 'CONFIG_CHANGED', detail });
  }
  if (hiddenDatasets + hiddenResults > 0) {
    const detail = `No longer visible to you: ${hiddenDatasets} of the datasets and ${hiddenResults} of the results.`;
    causes.push({ code: 'VISIBILITY_CHANGED', detail });
  }
  if (causes.length > 0) return causes;
  const detail = 'Neither the content nor the configuration nor your permissions have changed.';
  return [{ code: 'UNEXPLAINED', detail }];
}
