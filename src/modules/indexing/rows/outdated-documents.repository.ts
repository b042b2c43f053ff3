import { Injectable } from '@nestjs/common';
import { columnsOf, result, statement, TenantRepository, UnitOfWork, type RowOf } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DocumentEntity, FILTER_FACTS, filterFactsOf } from '../../documents/index.js';

const OUTDATED = {
  ...FILTER_FACTS,
  ...columnsOf(DocumentEntity, 'dataset_id', 'status', 'metadata_seq', 'stored_metadata_seq'),
  visible_generation: result.present(result.bigint),
  spaces: result.texts(),
};
const LIST_OUTDATED = statement(
  OUTDATED,
  `SELECT ${filterFactsOf('d')}, d.dataset_id, d.status, d.visible_generation,
     d.metadata_seq, d.stored_metadata_seq,
     ARRAY(SELECT s.embedding_space UNION SELECT e.space FROM dataset_spaces e WHERE e.dataset_id = s.id) AS spaces
   FROM documents d JOIN datasets s ON s.id = d.dataset_id
   WHERE d.id = ANY ($1::uuid[]) AND d.deleted_at IS NULL AND d.visible_generation IS NOT NULL
     AND d.metadata_seq <> d.stored_metadata_seq`,
);
/** A document whose metadata in the store differs from the database. */
export type OutdatedDocument = RowOf<typeof OUTDATED>;

/** Documents whose metadata in the store is outdated. */
@Injectable()
export class OutdatedDocuments extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /**
   * Those of the documents whose metadata in the store is outdated. A document that shows nothing has no rows that are read; its attempt
   * writes the present metadata at its end.
   */
  async list(ctx: RequestContext, ids: readonly string[]): Promise<OutdatedDocument[]> {
    return this.query(ctx, LIST_OUTDATED, [ids]);
  }
}
