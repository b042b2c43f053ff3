import type { GraphEntityType } from './graph-entity-types.js';
import type { ColumnType } from '#libs/tabular';
import { DEFAULT_CHUNKING_OPTIONS, type ChunkingOptions } from '#libs/text';
import type { RetrievalDefaults } from './retrieval-defaults.js';

/** Options that a media type can have for itself; what is left out is as for all types. */
export interface TypeParsingOptions {
  readonly ocr?: 'off' | 'auto';
  readonly header_footer_removal?: boolean;
  readonly charset?: string | null;
  readonly hidden?: 'include' | 'exclude';
}

export interface ParsingPolicy {
  /** `auto` reads scanned pages where a reader is installed. */
  readonly ocr: 'off' | 'auto';
  readonly header_footer_removal: boolean;
  /** Encoding of text files; null: recognised from the bytes. */
  readonly charset: string | null;
  /** Whether cells of workbooks that a reader does not see become text. Absent: `include`. */
  readonly hidden?: 'include' | 'exclude';
  /** `split`: each file of a ZIP archive is a document of its own; `whole`: all of them are one text. Absent: `whole`. */
  readonly archive?: 'split' | 'whole';
  /** By media type. */
  readonly types: Readonly<Record<string, TypeParsingOptions>>;
}

/** What is done with a finding, from the mildest on. */
export const DETECTOR_ACTIONS = ['allow', 'mask', 'quarantine', 'reject'] as const;
export type DetectorAction = (typeof DETECTOR_ACTIONS)[number];

export interface DetectorPolicy {
  /** Policies from before the types were listed may hold others, which find nothing. */
  readonly entity_type: string;
  readonly action: DetectorAction;
  /** 0 to 1. */
  readonly min_score: number;
}

export interface GovernancePolicy {
  readonly detectors: readonly DetectorPolicy[];
  /** Media types that may be ingested; null: all that can be parsed. */
  readonly allowed_types: readonly string[] | null;
  /** Largest file in bytes; null: the installation's limit. */
  readonly max_bytes: number | null;
  readonly on_prompt_injection: 'allow' | 'quarantine' | 'reject';
}

export interface ChunkingPolicy extends Readonly<ChunkingOptions> {
  /** Whether chunks are cut smaller where the embedding model of the dataset would not read them whole. Absent: no. */
  readonly fit_model?: boolean;
}

export interface EnrichmentPolicy {
  /** `llm`: the chat model writes a line about each chunk. */
  readonly context: 'off' | 'llm';
  /** The most tokens that the model may write for one chunk. */
  readonly max_tokens: number;
}

export interface KgPolicy {
  /** Whether what a document says of entities is extracted while it is ingested, by rules or by the chat model. Absent: off. */
  readonly mode?: 'off' | 'heuristic' | 'llm';
  /** Kinds of entities that are kept; absent or empty: all. */
  readonly entity_types?: readonly GraphEntityType[];
}

export interface LimitsPolicy {
  /** Longest text of a document in UTF-16 code units; null: the installation's limit. */
  readonly max_text_characters: number | null;
}

export interface EmbeddingPolicy {
  /** Id of an embedding model of `GET /models`; absent: the installation's own. */
  readonly model?: string;
}

/** Which tables are made of documents, and how they are read. */
export interface TablesPolicy {
  readonly enabled: boolean;
  /** Rows above the values; `auto`: found in each table. */
  readonly header_rows: 'auto' | number;
  /** Types of columns by header or name, in letters of either case; the others are decided by their values. */
  readonly types: Readonly<Record<string, ColumnType>>;
}

/** How documents of a dataset are ingested (contract, section 3). Always complete: what is left out in writing gets its default. */
export interface IngestionPolicy {
  readonly parsing: ParsingPolicy;
  readonly chunking: ChunkingPolicy;
  readonly enrichment: EnrichmentPolicy;
  readonly embedding: EmbeddingPolicy;
  readonly tables: TablesPolicy;
  readonly governance: GovernancePolicy;
  readonly kg: KgPolicy;
  /** Read when a search is made; what is ingested does not depend on it. */
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

/** What a policy means that says nothing: a field that came later means what was done before it. */
export const SILENT_POLICY: IngestionPolicy = {
  ...DEFAULT_POLICY,
  parsing: { ...DEFAULT_POLICY.parsing, archive: 'whole' },
};
