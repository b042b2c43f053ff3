import { Injectable } from '@nestjs/common';
import { TenantRepository, UnitOfWork, type RequestContext } from 'knowledge-base-service/extension';

export interface DatasetCount {
  readonly dataset_id: string;
  readonly documents: number;
}

/** What became of a document, and the number of the event that told it. */
export interface Change {
  readonly documentId: string;
  readonly datasetId: string;
  readonly seq: string;
  readonly present: boolean;
}

// An event that was delivered before, or that comes after a later one, finds a number that is not lower and changes nothing.
const NOTE_CHANGE = `
  WITH old AS (SELECT present FROM acme_notes_counted WHERE document_id = $2),
  put AS (
    INSERT INTO acme_notes_counted AS c (tenant_id, document_id, dataset_id, seq, present) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (document_id) DO UPDATE SET seq = excluded.seq, present = excluded.present WHERE c.seq < excluded.seq
    RETURNING present
  )
  INSERT INTO acme_notes_counts AS n (tenant_id, dataset_id, documents)
  SELECT $1, $3, put.present::int - coalesce((SELECT present::int FROM old), 0) FROM put
  ON CONFLICT (tenant_id, dataset_id) DO UPDATE SET documents = n.documents + excluded.documents`;

const LIST = `
  SELECT dataset_id, documents FROM acme_notes_counts
  WHERE documents > 0 AND ($1::uuid[] IS NULL OR dataset_id = ANY ($1))
  ORDER BY dataset_id LIMIT $2 OFFSET $3`;
const TOTAL = `
  SELECT count(*)::int AS total FROM acme_notes_counts
  WHERE documents > 0 AND ($1::uuid[] IS NULL OR dataset_id = ANY ($1))`;

/** How many documents of each dataset are there. */
@Injectable()
export class CountsRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  async noteChange(ctx: RequestContext, { documentId, datasetId, seq, present }: Change): Promise<void> {
    await this.query(ctx, NOTE_CHANGE, [ctx.tenantId, documentId, datasetId, seq, present]);
  }

  list(ctx: RequestContext, skip: number, limit: number): Promise<DatasetCount[]> {
    return this.query<DatasetCount>(ctx, LIST, [datasetsOf(ctx), limit, skip]);
  }

  async total(ctx: RequestContext): Promise<number> {
    return (await this.queryOne<{ total: number }>(ctx, TOTAL, [datasetsOf(ctx)]))?.total ?? 0;
  }
}

/** The only datasets that the caller may touch; null: no such limit. */
export function datasetsOf({ principal }: RequestContext): readonly string[] | null {
  return principal.kind === 'api_key' ? principal.datasetIds : null;
}
