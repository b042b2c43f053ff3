import { Injectable } from '@nestjs/common';
import type { DatasetId, DocumentId } from '#libs/common';
import { allColumnsOf, result, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DocumentEntity, type DocumentRow } from '../record/document.entity.js';

/** Maximum number of changes that are reported one by one between two reads; beyond it the reader is told to read the list again. */
export const MOST_CHANGES = 500;

/** A changed document: its present row, or null if it is deleted. */
export interface DocumentChange {
  readonly id: DocumentId;
  readonly row: DocumentRow | null;
}

/** Result of one read of the changes. */
export interface FeedRead {
  /** Position at which the next read begins: everything committed before it has been read. */
  readonly position: string;
  readonly changes: readonly DocumentChange[];
  /** Whether `changes` may be incomplete: there are too many, rows were purged, or the position is from another database. */
  readonly isReset: boolean;
}

/**
 * The position is the oldest running transaction, and a row counts as changed if the transaction that wrote it last is not older. Unlike a
 * clock or a column, this misses no change, however long its transaction took. A purge removes rows, so its receipt reports it.
 */
const POSITION = statement(
  { position: result.text(), is_known: result.boolean, purges: result.orNull(result.text()) },
  `SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS position,
     coalesce($2::xid8 <= pg_snapshot_xmin(pg_current_snapshot()), true) AS is_known,
     (SELECT string_agg(r.id || ' ' || r.xmin, ',' ORDER BY r.id) FROM dataset_deletions r
       WHERE r.dataset_id = $1 AND r.kind = 'purge' AND age(r.xmin) BETWEEN 0 AND age($2::xid8::xid)) AS purges`,
);
/** The latest changes first, so that a new one is among them even if there are too many. */
const LIST_CHANGED = statement(
  { ...allColumnsOf(DocumentEntity), version: result.text() },
  `SELECT d.*, d.xmin::text AS version FROM documents d
   WHERE d.dataset_id = $1 AND age(d.xmin) BETWEEN 0 AND age($2::xid8::xid)
   ORDER BY d.updated_at DESC, d.id DESC LIMIT ${MOST_CHANGES + 1}`,
);

/**
 * Changes that a feed has reported since its position, so that a long transaction elsewhere does not make it report them again and again.
 */
export class ReportedChanges {
  private versions: ReadonlyMap<DocumentId, string> = new Map();
  private purges: string | null = null;

  /** Filters out rows and purges that were reported before, and remembers the rest as reported. */
  note<Row extends { readonly id: DocumentId; readonly version: string }>(
    rows: readonly Row[],
    purges: string | null,
  ): { readonly fresh: readonly Row[]; readonly isPurged: boolean } {
    const fresh = rows.filter(({ id, version }) => this.versions.get(id) !== version);
    const isPurged = purges !== null && purges !== this.purges;
    this.versions = new Map(rows.map(({ id, version }) => [id, version]));
    this.purges = purges;
    return { fresh, isPurged };
  }
}

/** Reads changes of the documents of a dataset. The caller must check that the dataset may be seen. */
@Injectable()
export class DocumentFeedRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** Changes since a position that have not been reported, in order; for null only the present position. */
  async look(
    ctx: RequestContext,
    datasetId: DatasetId,
    from: string | null,
    told = new ReportedChanges(),
  ): Promise<FeedRead> {
    const place = (await this.queryOne(ctx, POSITION, [datasetId, from]))!;
    const { position } = place;
    if (from === null || !place.is_known) return { position, changes: [], isReset: !place.is_known };
    const rows = await this.query(ctx, LIST_CHANGED, [datasetId, from]);
    const { fresh, isPurged } = told.note(rows, place.purges);
    const isReset = isPurged || (rows.length > MOST_CHANGES && fresh.length > 0);
    return { position, changes: isReset ? [] : fresh.map(toChange).reverse(), isReset };
  }
}

function toChange({ deleted_at, ...row }: DocumentEntity): DocumentChange {
  return { id: row.id, row: deleted_at === null ? row : null };
}
