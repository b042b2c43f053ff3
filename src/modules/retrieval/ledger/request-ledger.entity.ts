import type { ChunkId, DatasetId, DocumentId, JsonObject, TenantId } from '#libs/common';
import type { SearchCounts, SearchTimings } from '../dto/search-response.dto.js';
import type { EffectiveOptions } from '../search-options.js';

export const REQUEST_KINDS = ['search', 'chat', 'explain'] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

/** A dataset that was searched, and where its content stood. */
export interface SearchedDataset {
  readonly id: DatasetId;
  /** `datasets.content_seq`; bigint as text. */
  readonly content_seq: string;
}

/** A result as it is kept: never text. Offsets are UTF-16 code units of the canonical text. */
export interface KeptResult {
  readonly chunk_id: ChunkId;
  readonly document_id: DocumentId;
  readonly dataset_id: DatasetId;
  readonly char_start: number;
  readonly char_end: number;
  readonly score: number;
}

/** What an explanation answered, and about what; `text` of the request is not kept. */
export interface KeptExplanation {
  readonly verdict: string;
  readonly code: string;
  readonly expected: { readonly document_id?: string; readonly chunk_id?: string };
}

export interface KeptReport {
  readonly counts: SearchCounts;
  readonly timings_ms: SearchTimings;
  /** Codes of warnings. */
  readonly warnings: readonly string[];
}

/** A row of `request_ledger` without its tenant. */
export interface LedgerEntry {
  readonly id: string;
  readonly request_id: string;
  /** `account:<id>` or `api_key:<id>`. */
  readonly principal: string;
  readonly kind: RequestKind;
  /** The request as it was sent: question, datasets, options. */
  readonly request: JsonObject;
  /** The options that were in force. */
  readonly effective: EffectiveOptions;
  /** What was searched; fewer than the request names when it was explained for another account. */
  readonly datasets: readonly SearchedDataset[];
  /** What `config_fingerprint` is the hash of. */
  readonly config: JsonObject;
  readonly config_fingerprint: string;
  /** Best first. */
  readonly results: readonly KeptResult[];
  readonly evidence: number;
  readonly report: KeptReport;
  readonly explanation: KeptExplanation | null;
  readonly created_at: Date;
}

/** An entry that waits to be written. */
export interface PendingEntry {
  readonly tenantId: TenantId;
  readonly entry: LedgerEntry;
}
