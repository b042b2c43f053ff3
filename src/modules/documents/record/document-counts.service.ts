import { Injectable } from '@nestjs/common';
import type { JsonObject } from '#libs/common';
import { columnsOf, result, statement, systemRowsOf, UnitOfWork, type RowOf } from '#libs/database';
import { defineTask, TaskHandler, withoutPayload } from '#libs/tasks';
import { DocumentCountEntity } from './document-count.entity.js';

const FOLDING_SECONDS = 300;

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

/** Every five minutes: rows of counts are folded into one for each status. */
export const FOLDING_OF_DOCUMENT_COUNTS = defineTask({
  kind: 'folding_of_document_counts',
  longestUnit: 'one round over the installation, for no tenant',
  parse: withoutPayload,
  every: () => FOLDING_SECONDS,
});

/** Folds the counts of documents. */
@TaskHandler(FOLDING_OF_DOCUMENT_COUNTS)
export class FoldedDocumentCounts implements TaskHandler<object> {
  constructor(private readonly counts: DocumentCounts) {}

  async run(): Promise<JsonObject> {
    return { rows: await this.counts.fold() };
  }
}
