import { DEFAULT_CHUNKING_OPTIONS, type ChunkingOptions } from '#libs/text';

/** A section that has no options yet. */
export type EmptySection = Readonly<Record<string, never>>;

export interface ParsingPolicy {
  readonly ocr: 'off';
  readonly header_footer_removal: boolean;
  /** Encoding of text files; null: recognised from the bytes. */
  readonly charset: string | null;
}

export interface GovernancePolicy {
  readonly detectors: readonly never[];
  /** Media types that may be ingested; null: all that can be parsed. */
  readonly allowed_types: readonly string[] | null;
  /** Largest file in bytes; null: the installation's limit. */
  readonly max_bytes: number | null;
}

/** How documents of a dataset are ingested (contract, section 3). */
export interface IngestionPolicy {
  readonly parsing: ParsingPolicy;
  readonly chunking: Readonly<ChunkingOptions>;
  readonly enrichment: EmptySection;
  readonly embedding: EmptySection;
  readonly tables: EmptySection;
  readonly governance: GovernancePolicy;
  readonly kg: EmptySection;
  readonly retrieval_defaults: EmptySection;
  readonly limits: EmptySection;
}

/** The policy that a new dataset begins with. */
export const DEFAULT_POLICY: IngestionPolicy = {
  parsing: { ocr: 'off', header_footer_removal: false, charset: null },
  chunking: DEFAULT_CHUNKING_OPTIONS,
  enrichment: {},
  embedding: {},
  tables: {},
  governance: { detectors: [], allowed_types: null, max_bytes: null },
  kg: {},
  retrieval_defaults: {},
  limits: {},
};

/** A row of table `policy_versions`. */
export interface PolicyVersionRow {
  readonly version: number;
  readonly fingerprint: string;
  readonly author_id: string | null;
  readonly comment: string | null;
  readonly policy: IngestionPolicy;
  readonly created_at: Date;
}
