import { Injectable } from '@nestjs/common';
import type { DatasetId, DocumentId } from '#libs/common';
import { allColumnsOf, result, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DocumentEntity, type DocumentRow } from '../record/document.entity.js';

/** More changes than this between two looks are not told one by one: the list is to be read again. */
export const MOST_CHANGES = 500;

/** What became of a document: its row as it is now, or null where it is deleted. */
export interface DocumentChange {
  readonly id: DocumentId;
  readonly row: DocumentRow | null;
}

/** What a look has found. */
export interface FeedLook {
  /** Where the next look begins: everything that was committed before has been seen. */
  readonly position: string;
  readonly changes: readonly DocumentChange[];
  /** Whether something may have changed that `changes` do not tell: there are too many, rows were removed for good, or the position is none of this database. */
  readonly isReset: boolean;
}

/**
 * The position is the oldest transaction that was under way, and a row is new when its last writer began no earlier: no clock and no column can
 * miss a change, however long its transaction took. A purge removes rows, so it is told of by its receipt.
 */
const POSITION = statement(
  { position: result.text(), is_known: result.boolean, purges: result.orNull(result.text()) },
  `SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS position,
     coalesce($2::xid8 <= pg_snapshot_xmin(pg_current_snapshot()), true) AS is_known,
     (SELECT string_agg(r.id || ' ' || r.xmin, ',' ORDER BY r.id) FROM dataset_deletions r
       WHERE r.dataset_id = $1 AND r.kind = 'purge' AND age(r.xmin) BETWEEN 0 AND age($2::xid8::xid)) AS purges`,
);
/** The latest changes, so that a new one is among them even where there are too many. */
const LIST_CHANGED = statement(
  { ...allColumnsOf(DocumentEntity), version: result.text() },
  `SELECT d.*, d.xmin::text AS version FROM documents d
   WHERE d.dataset_id = $1 AND age(d.xmin) BETWEEN 0 AND age($2::xid8::xid)
   ORDER BY d.updated_at DESC, d.id DESC LIMIT ${MOST_CHANGES + 1}`,
);

/** What a feed has told since its position, so that a long transaction elsewhere does not make it tell that again and again. */
export class ToldChanges {
  private versions: ReadonlyMap<DocumentId, string> = new Map();
  private purges: string | null = null;

  /** Of rows, those that have not been told; and whether there was a purge that was not. From now on they have. */
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

/** Reads what has changed among the documents of a dataset. Whether its caller sees the dataset is for who asks. */
@Injectable()
export class DocumentFeedRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** What has changed since a position and has not been told, in the order of the changes; from null on only the position. */
  async look(
    ctx: RequestContext,
    datasetId: DatasetId,
    from: string | null,
    told = new ToldChanges(),
  ): Promise<FeedLook> {
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
