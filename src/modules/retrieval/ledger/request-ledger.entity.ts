import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ChunkId, DatasetId, DocumentId, JsonObject, TenantId } from '#libs/common';
import type { SearchCounts, SearchTimings } from '../request/search-response.dto.js';
import type { EffectiveOptions } from '../request/search-options.js';

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
  /** What a chat model made of the question: of it alone, so it is no text of documents. */
  readonly generated_queries?: readonly string[];
}

/** An entry that waits to be written. */
export interface PendingEntry {
  readonly tenantId: TenantId;
  readonly entry: LedgerEntry;
}

/** A request to retrieval and its results: ids, offsets and scores, never text of documents. */
@Entity('request_ledger')
@Index('request_ledger_created', ['tenant_id', 'created_at'])
@Index('request_ledger_lookup', { synchronize: false })
@Check('request_ledger_kind_check', "kind IN ('search', 'chat', 'explain')")
export class RequestLedgerEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @Column('text')
  readonly request_id!: string;

  /** `account:<id>` or `api_key:<id>`. */
  @Column('text')
  readonly principal!: string;

  @Column('text')
  readonly kind!: RequestKind;

  /** The request as it was sent: question, datasets, options. */
  @Column('jsonb')
  readonly request!: JsonObject;

  /** The options that were in force; of requests from before datasets had defaults, without `topK` and perhaps `expand`. */
  @Column('jsonb')
  readonly effective!: Omit<EffectiveOptions, 'expand'> &
    Partial<Pick<EffectiveOptions, 'expand'>> & { readonly topK?: number };

  /** What was searched; fewer than the request names when it was explained for another account. */
  @Column('jsonb')
  readonly datasets!: readonly SearchedDataset[];

  /** What `config_fingerprint` is the hash of. */
  @Column('jsonb')
  readonly config!: JsonObject;

  @Column('text')
  readonly config_fingerprint!: string;

  /** Best first. */
  @Column('jsonb')
  readonly results!: readonly KeptResult[];

  @Column('double precision')
  readonly evidence!: number;

  @Column('jsonb')
  readonly report!: KeptReport;

  @Column('jsonb', { nullable: true })
  readonly explanation!: KeptExplanation | null;

  @Column('timestamp with time zone', { precision: 3 })
  readonly created_at!: Date;
}

/** An entry without its tenant. */
export type LedgerEntry = Omit<RequestLedgerEntity, 'tenant_id'>;
