import { Injectable } from '@nestjs/common';
import { columnsOf, result, statement, systemRowsOf, UnitOfWork, type RowOf } from '#libs/database';
import { DocumentCountEntity } from './document-count.entity.js';

const COUNT_COLUMNS = { ...columnsOf(DocumentCountEntity, 'status'), documents: result.integer };
const READ = statement(
  COUNT_COLUMNS,
  `SELECT status, sum(documents)::int AS documents FROM document_counts GROUP BY status ORDER BY status`,
);
/** Rows that another folding has taken, or that came after its beginning, are left to the next one. */
const FOLD = statement(
  { rows: result.integer },
  `WITH former AS (DELETE FROM document_counts RETURNING status, documents), folded AS (
     INSERT INTO document_counts (status, documents) SELECT status, sum(documents) FROM former GROUP BY status)
   SELECT count(*)::int AS rows FROM former`,
);

/** How many documents of all tenants have which status, deleted ones left out. */
@Injectable()
export class DocumentCounts {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** One row for each status that a document has had, by name; one statement, however many tenants there are. */
  async read(): Promise<readonly RowOf<typeof COUNT_COLUMNS>[]> {
    return systemRowsOf(this.unitOfWork, READ);
  }

  /** Makes one row of all that a status has; resolves to how many there were. Several may run at once. */
  async fold(): Promise<number> {
    const [folded] = await systemRowsOf(this.unitOfWork, FOLD);
    return folded!.rows;
  }
}
