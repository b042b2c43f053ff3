import { Injectable } from '@nestjs/common';
import { TenantRepository, UnitOfWork, type RequestContext } from 'knowledge-base-service/extension';
import { datasetsOf } from './counts.repository.js';

export interface TodoRow {
  readonly text_start: string; // bigint comes as text
  readonly body: string;
}

const CURRENT = `
  FROM acme_notes_todos t
  JOIN documents d ON d.id = t.document_id AND d.visible_generation = t.generation AND d.deleted_at IS NULL AND d.quarantined_at IS NULL
  WHERE t.document_id = $1 AND ($2::uuid[] IS NULL OR d.dataset_id = ANY ($2))`;
const LIST = `SELECT t.text_start, t.body ${CURRENT} ORDER BY t.text_start LIMIT $3 OFFSET $4`;
const TOTAL = `SELECT count(*)::int AS total ${CURRENT}`;

/** The lines of current documents that begin with TODO. */
@Injectable()
export class TodosRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  list(ctx: RequestContext, documentId: string, skip: number, limit: number): Promise<TodoRow[]> {
    return this.query<TodoRow>(ctx, LIST, [documentId, datasetsOf(ctx), limit, skip]);
  }

  async total(ctx: RequestContext, documentId: string): Promise<number> {
    return (await this.queryOne<{ total: number }>(ctx, TOTAL, [documentId, datasetsOf(ctx)]))?.total ?? 0;
  }
}
