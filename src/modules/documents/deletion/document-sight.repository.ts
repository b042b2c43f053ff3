import { Injectable } from '@nestjs/common';
import { columnsOf, statement, statementFamily, TenantRepository, UnitOfWork } from '#libs/database';
import type { DocumentSight } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, sightVariantsOf } from '../../datasets/index.js';
import { documentErrors } from '../documents.errors.js';
import { DocumentEntity } from '../record/document.entity.js';

const LIST_KNOWN = statement(columnsOf(DocumentEntity, 'id'), `SELECT id FROM documents WHERE id = ANY ($1::uuid[])`);
const FIND_UNSEEN = statementFamily(
  columnsOf(DocumentEntity, 'id'),
  (sight: string) =>
    `SELECT d.id FROM documents d LEFT JOIN datasets s ON s.id = d.dataset_id 
     WHERE d.id = ANY ($1::uuid[]) AND (${sight}) IS NOT TRUE LIMIT 1`,
  sightVariantsOf('s', 2).map((sight) => [sight] as const),
);

/** Tells the idempotency of requests which of the documents that they name exist and are visible. */
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
    const sight = this.access.sightCondition(ctx, 's', 2);
    const unseen = await this.queryOne(ctx, FIND_UNSEEN.of(sight.sql), [ids, ...sight.parameters]);
    if (unseen !== undefined) throw documentErrors.not_found({});
  }
}
