import { Injectable } from '@nestjs/common';
import type { DatasetId, DocumentId } from '#libs/common';
import { columnsOf, result, statement, TenantRepository, UnitOfWork, type TransactionContext } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DocumentEntity } from '../../documents/index.js';

/** A generation of a document that is to be removed from the vector store. */
export interface UnwantedGeneration {
  readonly documentId: DocumentId;
  readonly datasetId: DatasetId;
  readonly generation: string;
}

/** The state of a generation in the database. */
export interface GenerationState {
  readonly id: DocumentId;
  readonly generation: string;
  readonly written: boolean;
  readonly shown: boolean;
  readonly lags: boolean;
}

const STATES_OF = statement(
  {
    ...columnsOf(DocumentEntity, 'id'),
    generation: result.bigint,
    written: result.boolean,
    shown: result.boolean,
    lags: result.boolean,
  },
  `SELECT d.id, t.generation, (d.status = 'processing' AND d.fencing_token = t.generation) IS TRUE AS written,
     (d.visible_generation = t.generation) IS TRUE AS shown, d.metadata_seq <> d.stored_metadata_seq AS lags
   FROM unnest($1::uuid[], $2::bigint[]) AS t(id, generation) JOIN documents d ON d.id = t.id WHERE d.deleted_at IS NULL`,
);
const HOLD_COMPLETED = statement(
  columnsOf(DocumentEntity, 'id'),
  `SELECT id FROM documents WHERE id = ANY($1::uuid[]) AND status = 'completed' ORDER BY id FOR UPDATE`,
);

/** Reads the states of generations that are to be removed from the vector store. */
@Injectable()
export class GenerationStates extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** States by `document:generation`; generations of removed documents are missing. */
  async find(
    ctx: RequestContext,
    targets: readonly UnwantedGeneration[],
  ): Promise<ReadonlyMap<string, GenerationState>> {
    const rows = await this.query(ctx, STATES_OF, [
      targets.map(({ documentId }) => documentId),
      targets.map(({ generation }) => generation),
    ]);
    return new Map(rows.map((row) => [`${row.id}:${row.generation}`, row]));
  }

  /** The completed ones among the documents, locked until the transaction ends. */
  async holdCompleted(ctx: TransactionContext, documentIds: readonly DocumentId[]): Promise<DocumentId[]> {
    const rows = await this.query(ctx, HOLD_COMPLETED, [documentIds]);
    return rows.map(({ id }) => id);
  }
}
