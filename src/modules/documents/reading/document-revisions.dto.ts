import { ApiProperty } from '@nestjs/swagger';

const COUNT = { type: 'integer', minimum: 0 } as const;

/** A revision of a document: one file that was uploaded under it. */
export class DocumentRevision {
  /** Number of the revision, from 1. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  revision!: number;

  /** When it was uploaded. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  /** Account that uploaded it; null where that was not recorded. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  created_by!: string | null;

  /** Size of the file in bytes. */
  @ApiProperty(COUNT)
  size_bytes!: number;

  /** Media type that was recognised when it was uploaded. */
  @ApiProperty({ type: String })
  media_type!: string;

  /** SHA-256 of the file, hexadecimal. */
  @ApiProperty({ type: String })
  sha256!: string;

  /**
   * Whether text, chunks and file of the document are those of this revision: searches and citations refer to it. Before anything of the document is searchable, the latest one.
   */
  @ApiProperty({ type: Boolean })
  shown!: boolean;

  /** Whether it is the newest one. It is not shown until it has been ingested, and not at all where that fails. */
  @ApiProperty({ type: Boolean })
  latest!: boolean;
}

/** A page of a document's revisions, the newest first. */
export class DocumentRevisionPage {
  /** The revisions of this page. */
  @ApiProperty({ type: [DocumentRevision] })
  items!: DocumentRevision[];

  /** Number of revisions that are kept. */
  @ApiProperty(COUNT)
  total!: number;

  /** Number of rows left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** Maximum number of rows in a page. */
  @ApiProperty(COUNT)
  limit!: number;
}
