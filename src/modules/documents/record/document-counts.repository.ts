import { Injectable } from '@nestjs/common';
import { columnsOf, result, statement, systemRowsOf, UnitOfWork, type RowOf } from '#libs/database';
import { DocumentCountEntity } from './document-count.entity.js';

const COUNT_COLUMNS = { ...columnsOf(DocumentCountEntity, 'status'), documents: result.integer };
const READ = statement(
  COUNT_COLUMNS,
  `SELECT status, sum(documents)::int AS documents FROM document_counts GROUP BY status ORDER BY status`,
);
/** Rows that another run has taken, or that were added after the beginning, are left to the next run. */
const FOLD = statement(
  { rows: result.integer },
  `WITH former AS (DELETE FROM document_counts RETURNING status, documents), folded AS (
     INSERT INTO document_counts (status, documents) SELECT status, sum(documents) FROM former GROUP BY status)
   SELECT count(*)::int AS rows FROM former`,
);

/** Number of documents of all tenants by status, without deleted ones. */
@Injectable()
export class DocumentCounts {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** One row for each status that any document has had, ordered by name; a single statement, however many tenants there are. */
  async read(): Promise<readonly RowOf<typeof COUNT_COLUMNS>[]> {
    return systemRowsOf(this.unitOfWork, READ);
  }

  /** Replaces the rows of each status by one with their sum; resolves to the number of replaced rows. Several runs at once are safe. */
  async fold(): Promise<number> {
    const [folded] = await systemRowsOf(this.unitOfWork, FOLD);
    return folded!.rows;
  }
}
