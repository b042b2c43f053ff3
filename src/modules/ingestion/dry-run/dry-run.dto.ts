import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsDefined, IsUUID } from 'class-validator';
import { IngestionPolicySchema } from '../../ingestion-policy/index.js';

const COUNT = { type: 'integer', minimum: 0 } as const;
/** Documents of one trial, those of archives included. */
export const MOST_DOCUMENTS = 20;

/** A policy to try, and the documents to try it on. */
export class DryRunRequest {
  /** The policy, as `PUT` takes it; one that is not valid is 400. */
  @ApiProperty({ type: IngestionPolicySchema })
  @Transform(({ obj }: { obj: { policy: unknown } }) => obj.policy)
  @IsDefined()
  policy!: object;

  /**
   * Documents of the dataset; one that is named twice counts once. The id of an archive means its files, as many of the first ones by
   * path as there is room for among 20 documents.
   */
  @ApiProperty({
    type: 'array',
    items: { type: 'string', format: 'uuid' },
    minItems: 1,
    maxItems: MOST_DOCUMENTS,
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_DOCUMENTS)
  @IsUUID(undefined, { each: true })
  document_ids!: string[];
}

/** A chunk. Offsets are UTF-16 code units of the canonical text. */
export class DryRunChunk {
  /** Number within the document, from 0. */
  @ApiProperty(COUNT)
  ordinal!: number;

  /** First code unit. */
  @ApiProperty(COUNT)
  char_start!: number;

  /** One past the last code unit. */
  @ApiProperty(COUNT)
  char_end!: number;

  /** Estimated tokens. */
  @ApiProperty(COUNT)
  token_count!: number;

  /** Headings above it, outermost first. */
  @ApiProperty({ type: [String] })
  heading_path!: string[];

  /** Exactly the canonical text between the offsets. */
  text!: string;
}

/** The chunks of a document under one policy. */
export class DryRunChunks {
  /** Version of the policy; null: the one that is tried. */
  @ApiProperty({ type: 'integer', minimum: 1, nullable: true })
  policy_version!: number | null;

  /** How many chunks there are. */
  @ApiProperty(COUNT)
  chunk_count!: number;

  /** Sum of their tokens. */
  @ApiProperty(COUNT)
  token_count!: number;

  /** The first of them: at most 200, and at most 100,000 characters. */
  @ApiProperty({ type: [DryRunChunk] })
  chunks!: DryRunChunk[];

  /** Whether `chunks` leaves some out. */
  truncated!: boolean;
}

/** Something that the trial cannot show, or that the author of the policy may not expect. */
export class DryRunWarning {
  /** JSON pointer into the policy. */
  pointer!: string;

  /** `NEEDS_PARSING`, `LINES_NOT_WRITTEN`, `TYPE_NOT_ALLOWED`, `TOO_LARGE`, `TEXT_TOO_LONG`, `CHUNKS_LONGER_THAN_MODEL` or `CHUNKS_FIT_ANOTHER_MODEL`. */
  code!: string;

  /** What it means for this document. */
  detail!: string;
}

/** What the policy would do to one document. */
export class DryRunDocument {
  /** The document. */
  @ApiProperty({ format: 'uuid' })
  document_id!: string;

  /** Its name. */
  document_name!: string;

  /** Where it lies in its folder; null when its upload named none. */
  @ApiProperty({ type: String, nullable: true })
  path!: string | null;

  /** The archive that it is a file of; null when it is none. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  archive_id!: string | null;

  /** Whether the text is so long that only its beginning (1,000,000 code units) was looked at; both sides then count that part. */
  text_truncated!: boolean;

  /** The chunks that are shown now; null: none are. */
  @ApiProperty({ type: DryRunChunks, nullable: true })
  before!: DryRunChunks | null;

  /** The chunks that the policy would make. */
  @ApiProperty({ type: DryRunChunks })
  after!: DryRunChunks;

  /** Fields of the policy whose effect needs more than chunking. */
  @ApiProperty({ type: [DryRunWarning] })
  warnings!: DryRunWarning[];
}

/** A file of an archive that the policy was not tried on. */
export class DryRunLeftOut {
  /** The document. */
  @ApiProperty({ format: 'uuid' })
  document_id!: string;

  /** Where it lies in its archive. */
  @ApiProperty({ type: String, nullable: true })
  path!: string | null;

  /** Why: `documents.text_not_ready` or `documents.quarantined`. */
  code!: string;
}

/** An archive whose files the policy was tried on. */
export class DryRunArchive {
  /** The archive. */
  @ApiProperty({ format: 'uuid' })
  document_id!: string;

  /** Its name. */
  document_name!: string;

  /** Number of its files. */
  @ApiProperty(COUNT)
  file_count!: number;

  /** Number of its files that are among `documents`. */
  @ApiProperty(COUNT)
  tried_count!: number;

  /** Files that have no text, or that the caller may not read. Others are left out where there was no room for them. */
  @ApiProperty({ type: [DryRunLeftOut] })
  left_out!: DryRunLeftOut[];

  /** Fields of the policy that concern the archive itself: `NEEDS_PARSING` where it would be one text. */
  @ApiProperty({ type: [DryRunWarning] })
  warnings!: DryRunWarning[];
}

/** What the policy would do, document by document. Nothing was written. */
export class DryRunResult {
  /** The documents in the order of the request; in the place of an archive its files, by path. */
  @ApiProperty({ type: [DryRunDocument] })
  documents!: DryRunDocument[];

  /** The archives of the request. */
  @ApiProperty({ type: [DryRunArchive] })
  archives!: DryRunArchive[];
}
