import type { GraphEntityType } from './graph-entity-types.js';
import type { ColumnType } from '#libs/tabular';
import { DEFAULT_CHUNKING_OPTIONS, type ChunkingOptions } from '#libs/text';
import type { RetrievalDefaults } from './retrieval-defaults.js';

/** Options of a single media type; for options that are left out, those for all types apply. */
export interface TypeParsingOptions {
  readonly ocr?: 'off' | 'auto';
  readonly header_footer_removal?: boolean;
  readonly charset?: string | null;
  readonly hidden?: 'include' | 'exclude';
}

export interface ParsingPolicy {
  /** `auto`: scanned pages are recognised if a text recogniser is installed. */
  readonly ocr: 'off' | 'auto';
  readonly header_footer_removal: boolean;
  /** Encoding of text files; null: detected from the bytes. */
  readonly charset: string | null;
  /** Whether hidden cells of workbooks and hidden slides become text. Absent: `include`. */
  readonly hidden?: 'include' | 'exclude';
  /** `split`: each file of a ZIP archive is a document of its own; `whole`: all of them are one text. Absent: `whole`. */
  readonly archive?: 'split' | 'whole';
  /** By media type. */
  readonly types: Readonly<Record<string, TypeParsingOptions>>;
}

/** Actions for a finding, the mildest first. */
export const DETECTOR_ACTIONS = ['allow', 'mask', 'quarantine', 'reject'] as const;
export type DetectorAction = (typeof DETECTOR_ACTIONS)[number];

export interface DetectorPolicy {
  /** Policies from before the kinds were listed may contain others, which find nothing. */
  readonly entity_type: string;
  readonly action: DetectorAction;
  /** 0 to 1. */
  readonly min_score: number;
}

export interface GovernancePolicy {
  readonly detectors: readonly DetectorPolicy[];
  /** Media types that may be ingested; null: all types that can be parsed. */
  readonly allowed_types: readonly string[] | null;
  /** Maximum size of a file in bytes; null: the installation's limit. */
  readonly max_bytes: number | null;
  readonly on_prompt_injection: 'allow' | 'quarantine' | 'reject';
}

export interface ChunkingPolicy extends Readonly<ChunkingOptions> {
  /** Whether chunks are made smaller if the embedding model of the dataset cannot read them in full. Absent: no. */
  readonly fit_model?: boolean;
}

export interface EnrichmentPolicy {
  /** `llm`: the chat model writes a line about each chunk. */
  readonly context: 'off' | 'llm';
  /** Maximum number of tokens that the model may write for one chunk. */
  readonly max_tokens: number;
}

export interface KgPolicy {
  /** Whether entities and relations are extracted during ingestion, by rules or by the chat model. Absent: off. */
  readonly mode?: 'off' | 'heuristic' | 'llm';
  /** Kinds of entities that are kept; absent or empty: all. */
  readonly entity_types?: readonly GraphEntityType[];
}

export interface LimitsPolicy {
  /** Maximum length of a text in UTF-16 code units; null: the installation's limit. */
  readonly max_text_characters: number | null;
}

export interface EmbeddingPolicy {
  /** Identifier of an embedding model of `GET /models`; absent: the installation's default. */
  readonly model?: string;
}

/** Whether and how tables are made from documents. */
export interface TablesPolicy {
  readonly enabled: boolean;
  /** Number of header rows; `auto`: detected in each table. */
  readonly header_rows: 'auto' | number;
  /** Types of columns by header or name, without regard to case; types of other columns follow from their values. */
  readonly types: Readonly<Record<string, ColumnType>>;
}

/**
 * How documents of a dataset are ingested (contract, section 3). Always complete: fields that are left out in a request get their defaults.
 */
export interface IngestionPolicy {
  readonly parsing: ParsingPolicy;
  readonly chunking: ChunkingPolicy;
  readonly enrichment: EnrichmentPolicy;
  readonly embedding: EmbeddingPolicy;
  readonly tables: TablesPolicy;
  readonly governance: GovernancePolicy;
  readonly kg: KgPolicy;
  /** Read at each search; ingestion does not depend on it. */
  readonly retrieval_defaults: RetrievalDefaults;
  readonly limits: LimitsPolicy;
}

/** The policy that a new dataset begins with. */
export const DEFAULT_POLICY: IngestionPolicy = {
  parsing: { ocr: 'off', header_footer_removal: false, charset: null, hidden: 'include', archive: 'split', types: {} },
  chunking: DEFAULT_CHUNKING_OPTIONS,
  enrichment: { context: 'off', max_tokens: 256 },
  embedding: {},
  tables: { enabled: true, header_rows: 'auto', types: {} },
  governance: { detectors: [], allowed_types: null, max_bytes: null, on_prompt_injection: 'allow' },
  kg: {},
  retrieval_defaults: {},
  limits: { max_text_characters: null },
};

/** Defaults of an empty policy; the default of a field that was added later is the behaviour from before. */
export const SILENT_POLICY: IngestionPolicy = {
  ...DEFAULT_POLICY,
  parsing: { ...DEFAULT_POLICY.parsing, archive: 'whole' },
};
