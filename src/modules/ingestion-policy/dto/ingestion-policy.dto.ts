import { ApiProperty } from '@nestjs/swagger';
import {
  MAX_CHUNK_TOKENS,
  MIN_CHUNK_TOKENS,
  SUPPORTED_CHUNKING_STRATEGIES,
  type SupportedChunkingStrategy,
} from '#libs/text';
import type { EmptySection } from '../ingestion-policy.entity.js';

const EMPTY_SECTION = { type: 'object', additionalProperties: false, properties: {} } as const;

/** How files become text. */
export class ParsingPolicyDto {
  /** Whether images of text are read. */
  @ApiProperty({ enum: ['off'] })
  ocr!: 'off';

  /** Whether lines that repeat at the top or bottom of pages are left out. */
  header_footer_removal!: boolean;

  /** Encoding of text files; null: recognised from the bytes. */
  @ApiProperty({ type: String, nullable: true })
  charset!: string | null;
}

/** How text is cut into chunks. */
export class ChunkingPolicyDto {
  /** Where cuts are preferred. */
  @ApiProperty({ enum: SUPPORTED_CHUNKING_STRATEGIES })
  strategy!: SupportedChunkingStrategy;

  /** Most tokens of a chunk. */
  @ApiProperty({ type: 'integer', minimum: MIN_CHUNK_TOKENS, maximum: MAX_CHUNK_TOKENS })
  chunk_size!: number;

  /** Most tokens repeated from the chunk before; less than half of the size. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  chunk_overlap!: number;

  /** Preferred cut marks, best first; they stay in the text. Empty: the built-in borders. */
  @ApiProperty({ type: [String] })
  separators!: readonly string[];

  /** Whether chunks carry the headings above them. */
  heading_context!: boolean;
}

/** What may be ingested. */
export class GovernancePolicyDto {
  /** Detectors of sensitive content. */
  @ApiProperty({ type: 'array', items: { type: 'object' }, maxItems: 0 })
  detectors!: readonly never[];

  /** Media types that may be ingested; null: all that can be parsed. */
  @ApiProperty({ type: 'array', items: { type: 'string' }, nullable: true })
  allowed_types!: readonly string[] | null;

  /** Largest file in bytes; null: the installation's limit. */
  @ApiProperty({ type: 'integer', nullable: true })
  max_bytes!: number | null;
}

/** How documents of a dataset are ingested. */
export class IngestionPolicyDto {
  /** How files become text. */
  @ApiProperty({ type: ParsingPolicyDto })
  parsing!: ParsingPolicyDto;

  /** How text is cut. */
  @ApiProperty({ type: ChunkingPolicyDto })
  chunking!: ChunkingPolicyDto;

  /** No options yet. */
  @ApiProperty(EMPTY_SECTION)
  enrichment!: EmptySection;

  /** No options yet. */
  @ApiProperty(EMPTY_SECTION)
  embedding!: EmptySection;

  /** No options yet. */
  @ApiProperty(EMPTY_SECTION)
  tables!: EmptySection;

  /** What may be ingested. */
  @ApiProperty({ type: GovernancePolicyDto })
  governance!: GovernancePolicyDto;

  /** No options yet. */
  @ApiProperty(EMPTY_SECTION)
  kg!: EmptySection;

  /** No options yet. */
  @ApiProperty(EMPTY_SECTION)
  retrieval_defaults!: EmptySection;

  /** No options yet. */
  @ApiProperty(EMPTY_SECTION)
  limits!: EmptySection;
}

/** A version of a dataset's ingestion policy. */
export class IngestionPolicyVersion {
  /** Number of the version, from 1. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  version!: number;

  /** SHA-256 of the policy's canonical JSON, hexadecimal. */
  fingerprint!: string;

  /** Account that wrote it; null: the service. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  author_id!: string | null;

  /** When it was written. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  /** What its author said about it. */
  @ApiProperty({ type: String, nullable: true })
  comment!: string | null;

  /** The policy. */
  @ApiProperty({ type: IngestionPolicyDto })
  policy!: IngestionPolicyDto;
}
