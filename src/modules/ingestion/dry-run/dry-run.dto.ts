import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsDefined, IsUUID } from 'class-validator';
import { Answer } from '#libs/http';
import { IngestionPolicySchema } from '../../ingestion-policy/index.js';

/** Maximum number of documents of a dry run, files of archives included. */
export const MOST_DOCUMENTS = 20;

/** A policy and the documents to try it on. */
export class DryRunRequest {
  /** The policy to try, as in `PUT /datasets/{id}/ingestion-policy`; an invalid one is 400. */
  @ApiProperty({ type: IngestionPolicySchema })
  @Transform(({ obj }: { obj: { policy: unknown } }) => obj.policy)
  @IsDefined()
  policy!: object;

  /**
   * Identifiers of documents of the dataset; a repeated one counts once. An archive counts as its files, taken by path until there are 20
   * documents.
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
  /** Number of the chunk within the document, from 0. */
  @Answer.Count()
  ordinal!: number;

  /** Offset of the first code unit. */
  @Answer.Count()
  char_start!: number;

  /** Offset just after the last code unit. */
  @Answer.Count()
  char_end!: number;

  /** Estimated number of tokens. */
  @Answer.Count()
  token_count!: number;

  /** Headings above the chunk, outermost first. */
  @Answer.Texts()
  heading_path!: string[];

  /** The canonical text between the offsets. */
  text!: string;
}

/** The chunks of a document under one policy. */
export class DryRunChunks {
  /** Version of the ingestion policy; null: the policy of the request. */
  @Answer.Integer({ nullable: true, min: 1 })
  policy_version!: number | null;

  /** Number of chunks. */
  @Answer.Count()
  chunk_count!: number;

  /** Number of tokens of all chunks. */
  @Answer.Count()
  token_count!: number;

  /** The first chunks: at most 200, with at most 100,000 characters in all. */
  @Answer.NestedList(DryRunChunk)
  chunks!: DryRunChunk[];

  /** Whether `chunks` is incomplete. */
  truncated!: boolean;
}

/** An effect that the dry run cannot show, or that the author of the policy may not expect. */
export class DryRunWarning {
  /** JSON pointer to the field of the policy. */
  pointer!: string;

  /**
   * Warning code: `NEEDS_PARSING`, `LINES_NOT_WRITTEN`, `TYPE_NOT_ALLOWED`, `TOO_LARGE`, `TEXT_TOO_LONG`, `CHUNKS_LONGER_THAN_MODEL` or
   * `CHUNKS_FIT_ANOTHER_MODEL`.
   */
  code!: string;

  /** Meaning of the warning for this document. */
  detail!: string;
}

/** What the policy would do to one document. */
export class DryRunDocument {
  /** Identifier of the document. */
  @Answer.Uuid()
  document_id!: string;

  /** Name of the document. */
  document_name!: string;

  /** Folder and name of the document; null: its upload named no path. */
  @Answer.Text({ nullable: true })
  path!: string | null;

  /** Identifier of the archive that contains the document; null: none. */
  @Answer.Uuid({ nullable: true })
  archive_id!: string | null;

  /** Whether only the first 1,000,000 code units of the text were used; if so, `before` and `after` count only that part. */
  text_truncated!: boolean;

  /** Chunks that searches show now; null: there are none. */
  @Answer.Nested(DryRunChunks, { nullable: true })
  before!: DryRunChunks | null;

  /** Chunks that the policy would make. */
  @Answer.Nested(DryRunChunks)
  after!: DryRunChunks;

  /** Effects of the policy on this document that the dry run cannot show or that may be unexpected. */
  @Answer.NestedList(DryRunWarning)
  warnings!: DryRunWarning[];
}

/** A file of an archive that the policy was not tried on. */
export class DryRunLeftOut {
  /** Identifier of the document. */
  @Answer.Uuid()
  document_id!: string;

  /** Folder and name of the document in the archive; null: it has no path. */
  @Answer.Text({ nullable: true })
  path!: string | null;

  /** Reason: `documents.text_not_ready` or `documents.quarantined`. */
  code!: string;
}

/** An archive whose files the policy was tried on. */
export class DryRunArchive {
  /** Identifier of the archive. */
  @Answer.Uuid()
  document_id!: string;

  /** Name of the archive. */
  document_name!: string;

  /** Number of files of the archive. */
  @Answer.Count()
  file_count!: number;

  /** Number of files of the archive that are among `documents`. */
  @Answer.Count()
  tried_count!: number;

  /** Files that were left out because they have no text or because the caller may not read them. Files beyond 20 documents are not listed. */
  @Answer.NestedList(DryRunLeftOut)
  left_out!: DryRunLeftOut[];

  /** Warnings about the archive itself: `NEEDS_PARSING` if the policy would make one text of it. */
  @Answer.NestedList(DryRunWarning)
  warnings!: DryRunWarning[];
}

/** Effects of the policy on each document. Nothing was stored. */
export class DryRunResult {
  /** Documents in the order of the request; an archive is replaced by its files, ordered by path. */
  @Answer.NestedList(DryRunDocument)
  documents!: DryRunDocument[];

  /** Archives of the request. */
  @Answer.NestedList(DryRunArchive)
  archives!: DryRunArchive[];
}
