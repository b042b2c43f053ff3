import { ApiProperty } from '@nestjs/swagger';

const COUNT = { type: 'integer', minimum: 0 } as const;

/** A revision of a document: one file that was uploaded under it. */
export class DocumentRevision {
  /** Number of the revision, from 1. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  revision!: number;

  /** Time of the upload. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  /** Identifier of the account that uploaded the revision; null where that was not recorded. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  created_by!: string | null;

  /** Size of the file in bytes. */
  @ApiProperty(COUNT)
  size_bytes!: number;

  /** Media type recognised at the upload. */
  @ApiProperty({ type: String })
  media_type!: string;

  /** SHA-256 of the file, hexadecimal. */
  @ApiProperty({ type: String })
  sha256!: string;

  /**
   * Whether searches and citations refer to this revision, and text, chunks and file of the document are read from it. True for the latest
   * revision while nothing of the document is searchable.
   */
  @ApiProperty({ type: Boolean })
  shown!: boolean;

  /** Whether this is the newest revision. The newest revision is shown once its ingestion has completed. */
  @ApiProperty({ type: Boolean })
  latest!: boolean;
}

/** A page of a document's revisions, the newest first. */
export class DocumentRevisionPage {
  /** The revisions of this page. */
  @ApiProperty({ type: [DocumentRevision] })
  items!: DocumentRevision[];

  /** Total number of revisions that are kept. */
  @ApiProperty(COUNT)
  total!: number;

  /** Number of revisions left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** Maximum number of revisions in a page. */
  @ApiProperty(COUNT)
  limit!: number;
}
