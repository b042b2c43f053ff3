import { Injectable } from '@nestjs/common';
import type { DocumentId, Page } from '#libs/common';
import { columnsOf, result, statement, TenantRepository, UnitOfWork, type RowOf } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { TEXT_REVISION } from '../record/document.entity.js';
import { DocumentRevisionEntity } from '../record/document-revision.entity.js';

const COLUMNS = {
  ...columnsOf(DocumentRevisionEntity, 'revision', 'created_at', 'created_by', 'size_bytes', 'sha256'),
  media_type: result.text(),
  shown: result.boolean,
  latest: result.boolean,
};
/**
 * Which revision is shown and which one is the latest is read in the same statement, so that a revision that arrives meanwhile causes no
 * contradiction.
 */
const LIST = statement(
  COLUMNS,
  `SELECT r.revision, r.created_at, r.created_by, r.size_bytes, r.sha256, coalesce(r.media_type, d.media_type) AS media_type,
     r.id = ${TEXT_REVISION} AS shown, r.id = d.revision_id AS latest
   FROM document_revisions r JOIN documents d ON d.id = r.document_id
   WHERE r.document_id = $1 ORDER BY r.revision DESC LIMIT $2 OFFSET $3`,
);
const COUNT = statement(
  { n: result.integer },
  `SELECT count(*)::int AS n FROM document_revisions WHERE document_id = $1`,
);

/** A revision, with whether it is shown and whether it is the latest. */
export type KeptRevision = RowOf<typeof COLUMNS>;

/** Reads the stored revisions of a document. The caller must check that the document may be seen. */
@Injectable()
export class KeptRevisionsRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** The newest revision first. */
  async list(ctx: RequestContext, documentId: DocumentId, skip: number, limit: number): Promise<Page<KeptRevision>> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const total = await this.queryOne(inner, COUNT, [documentId]);
      const items = await this.query(inner, LIST, [documentId, limit, skip]);
      return { items, total: total?.n ?? 0, skip, limit };
    });
  }
}
