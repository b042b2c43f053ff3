import { Injectable } from '@nestjs/common';
import { allColumnsOf, statement, TenantRepository, type TransactionContext, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DocumentEntity, type DocumentRow } from '../record/document.entity.js';
import type { DocumentFacts } from '../record/document-facts.js';
import { forgetSameNames } from '../record/same-names.repository.js';
import { StoreIntents } from '../intents/store-intents.repository.js';

/** New name, metadata and tags of a document. */
export interface ChangedDocument {
  readonly id: string;
  readonly facts: DocumentFacts;
  /** Number of the visible change (`bumpContent`). */
  readonly contentSeq: string;
}

const LIST = statement(
  allColumnsOf(DocumentEntity),
  `SELECT * FROM documents WHERE id = ANY ($1::uuid[]) AND deleted_at IS NULL`,
);
const WRITE = statement(
  allColumnsOf(DocumentEntity),
  `UPDATE documents d SET name = n.name, path = coalesce(n.path, d.path),
     same_name_id = CASE WHEN coalesce(n.path, d.path, n.name) = coalesce(d.path, d.name) THEN d.same_name_id END,
     metadata = n.metadata, metadata_seq = d.metadata_seq + 1, visibility_seq = n.seq,
     tags = ARRAY(SELECT t.tag FROM jsonb_array_elements_text(n.tags) WITH ORDINALITY AS t(tag, n) ORDER BY t.n), updated_at = now()
   FROM unnest($1::uuid[], $2::text[], $3::jsonb[], $4::jsonb[], $5::bigint[], $6::text[]) AS n(id, name, metadata, tags, seq, path)
   WHERE d.id = n.id AND d.deleted_at IS NULL RETURNING d.*`,
);

/** Writes changes of names, metadata and tags. */
@Injectable()
export class DocumentChangesRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly intents: StoreIntents,
  ) {
    super(unitOfWork);
  }

  /** In no particular order; deleted documents are left out. */
  async list(ctx: RequestContext, ids: readonly string[]): Promise<DocumentRow[]> {
    return this.query(ctx, LIST, [ids]);
  }

  /** Filters see the change at once; an intent is recorded to write it to the vector store later. */
  async write(ctx: TransactionContext, changes: readonly ChangedDocument[]): Promise<DocumentRow[]> {
    if (changes.length === 0) return [];
    const ids = changes.map((change) => change.id);
    const rows = await this.query(ctx, WRITE, [
      ids,
      changes.map((change) => change.facts.name),
      changes.map((change) => JSON.stringify(change.facts.metadata)),
      changes.map((change) => JSON.stringify(change.facts.tags)),
      changes.map((change) => change.contentSeq),
      changes.map((change) => change.facts.path ?? null),
    ]);
    await this.unitOfWork.run(ctx, (manager) => forgetSameNames(manager, ids));
    const stale = rows.map(({ id, dataset_id: datasetId }) => ({
      subject: id,
      payload: { documentId: id, datasetId },
    }));
    await this.intents.addAll(ctx, 'update_metadata', stale);
    return rows;
  }
}
