import {
  FILTER_MEANS,
  UNKNOWN_REASONS,
  type FilterEvidence,
  type FilterItem,
  type FilterStats,
  type SemanticFilterResponse,
} from './semantic-filter.dto.js';
import type { CheapResult, Judged } from './filter-subject.js';

/** Scores of what is unknown lie so far around one half. */
const UNKNOWN_SPAN = 0.3;
const RANK = { true: 0, unknown: 1, false: 2 } as const;

/** What is told beside the verdicts. */
export interface FilterFacts {
  readonly limit: number;
  readonly modelCalls: number;
  readonly maxCalls: number;
  readonly orderedBy: FilterStats['ordered_by'];
  /** Number of judged items that are no longer shown as they were. */
  readonly changed: number;
  readonly elapsedMs: number;
}

/** True ones first, then unknown, then false ones, each by falling score. */
export function toResponse(
  { total, readings, warnings }: CheapResult,
  judged: readonly Judged[],
  facts: FilterFacts,
): SemanticFilterResponse {
  const items = judged
    .map(toItem)
    .toSorted((a, b) => RANK[a.verdict] - RANK[b.verdict] || b.score - a.score)
    .slice(0, facts.limit);
  const changed = { code: 'changed_meanwhile', detail: changedDetail(facts.changed) };
  return {
    items,
    readings: readings.map(({ table, filters, statements, isNegated }) => ({
      table,
      filters: [...filters],
      statements: statements.map(({ frame, sought }) => ({ kind: frame, sought })),
      negated: isNegated,
    })),
    stats: toStats(total - facts.changed, judged, facts),
    warnings: [...warnings, ...(facts.changed > 0 ? [changed] : [])],
  };
}

function changedDetail(count: number): string {
  return `${count} ${count === 1 ? 'item was' : 'items were'} left out because the document was changed, put into quarantine or deleted meanwhile. Send the request again to judge its current content.`;
}

function toStats(total: number, judged: readonly Judged[], facts: FilterFacts): FilterStats {
  const count = (holds: (each: Judged) => boolean): number => judged.filter(holds).length;
  const byMeans = FILTER_MEANS.map((means) => [means, count((each) => each.means === means)] as const);
  const byReason = UNKNOWN_REASONS.map((reason) => [reason, count((each) => each.reason === reason)] as const);
  return {
    total: Math.max(total, judged.length),
    looked_at: judged.length,
    not_looked_at: Math.max(0, total - judged.length),
    verdicts: {
      true: count(({ truth }) => truth === true),
      false: count(({ truth }) => truth === false),
      unknown: count(({ truth }) => truth === undefined),
    },
    decided_by: Object.fromEntries(byMeans) as unknown as FilterStats['decided_by'],
    unknown_because: Object.fromEntries(byReason) as unknown as FilterStats['unknown_because'],
    model_calls: facts.modelCalls,
    max_model_calls: facts.maxCalls,
    ordered_by: facts.orderedBy,
    elapsed_ms: facts.elapsedMs,
  };
}

function toItem(judged: Judged): FilterItem {
  const { subject, truth, means, reason, rationale } = judged;
  return {
    id: subject.id,
    document_id: subject.documentId,
    document_name: subject.documentName,
    table: subject.row?.table ?? null,
    row: subject.row?.number ?? null,
    verdict: truth === undefined ? 'unknown' : truth ? 'true' : 'false',
    score: scoreOf(judged),
    decided_by: means,
    unknown_because: reason,
    rationale,
    evidence: evidenceOf(judged),
  };
}

function scoreOf({ truth, certainty, nearness }: Judged): number {
  if (truth === undefined) return round(0.5 + UNKNOWN_SPAN * (nearness - 0.5));
  return round(truth ? certainty : 1 - certainty);
}

function round(score: number): number {
  return Math.round(score * 1_000) / 1_000;
}

function evidenceOf({ subject, facts, texts }: Judged): FilterEvidence[] {
  const kind = subject.row === null ? ('metadata' as const) : ('column' as const);
  const nowhere = { chunk_id: null, char_start: null, char_end: null };
  return [
    ...facts.map(({ key, value }) => ({ ...nowhere, kind, text: value, key })),
    ...texts.map(({ chunkId, text, charStart, charEnd }) => ({
      kind: 'text' as const,
      text,
      key: null,
      chunk_id: chunkId,
      char_start: charStart,
      char_end: charEnd,
    })),
  ];
}
