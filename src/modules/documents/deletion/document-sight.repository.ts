import { Injectable } from '@nestjs/common';
import { columnsOf, statement, statementFamily, TenantRepository, UnitOfWork } from '#libs/database';
import type { DocumentSight } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, visibilityVariantsOf } from '../../datasets/index.js';
import { documentErrors } from '../documents.errors.js';
import { DocumentEntity } from '../record/document.entity.js';

const LIST_KNOWN = statement(columnsOf(DocumentEntity, 'id'), `SELECT id FROM documents WHERE id = ANY ($1::uuid[])`);
const FIND_UNSEEN = statementFamily(
  columnsOf(DocumentEntity, 'id'),
  (visible: string) =>
    `SELECT d.id FROM documents d LEFT JOIN datasets s ON s.id = d.dataset_id AND s.deleted_at IS NULL
     WHERE d.id = ANY ($1::uuid[]) AND (${visible}) IS NOT TRUE LIMIT 1`,
  visibilityVariantsOf('s', 2).map((visible) => [visible] as const),
);

/** Tells the idempotency of requests about the documents that they name. */
@Injectable()
export class DocumentSightRepository extends TenantRepository implements DocumentSight {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
  ) {
    super(unitOfWork);
  }

  async listKnown(ctx: RequestContext, ids: readonly string[]): Promise<string[]> {
    const rows = await this.query(ctx, LIST_KNOWN, [ids]);
    return rows.map(({ id }) => id);
  }

  async assertVisible(ctx: RequestContext, ids: readonly string[]): Promise<void> {
    const visible = this.access.visibilityCondition(ctx, 's', 2);
    const unseen = await this.queryOne(ctx, FIND_UNSEEN.of(visible.sql), [ids, ...visible.parameters]);
    if (unseen !== undefined) throw documentErrors.not_found({});
  }
}
