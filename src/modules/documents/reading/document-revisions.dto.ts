import { Answer, PageOf } from '#libs/http';

/** A revision of a document: one file that was uploaded under it. */
export class DocumentRevision {
  /** Number of the revision, from 1. */
  @Answer.Integer({ min: 1 })
  revision!: number;

  /** Time of the upload. */
  @Answer.Instant()
  created_at!: string;

  /** Identifier of the account that uploaded the revision; null: not recorded. */
  @Answer.Uuid({ nullable: true })
  created_by!: string | null;

  /** Size of the file in bytes. */
  @Answer.Count()
  size_bytes!: number;

  /** Media type detected at the upload. */
  @Answer.Text()
  media_type!: string;

  /** SHA-256 of the file, hexadecimal. */
  @Answer.Text()
  sha256!: string;

  /**
   * Whether searches and citations refer to this revision, and text, chunks and file of the document are read from it. True for the latest
   * revision while nothing of the document is searchable.
   */
  @Answer.Flag()
  shown!: boolean;

  /** Whether this is the newest revision. The newest revision is shown once its ingestion has completed. */
  @Answer.Flag()
  latest!: boolean;
}

/** A page of a document's revisions, the newest first. */
export class DocumentRevisionPage extends PageOf(DocumentRevision, {
  items: 'The revisions of this page.',
  total: 'Total number of revisions that are kept.',
  rows: 'revisions',
}) {}
