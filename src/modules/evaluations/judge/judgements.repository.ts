import { Injectable } from '@nestjs/common';
import { columnsOf, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { isOpen } from '../../documents/index.js';
import { JudgementEntity } from './judgement.entity.js';

/** Maximum number of values stored for a tenant; the least recently used are removed first. */
const MOST_ROWS = 200_000;
/** Number of stored values after which those beyond the maximum are removed. */
const ROWS_PER_TRIM = 1_000;

const FIND = statement(
  columnsOf(JudgementEntity, 'value'),
  `UPDATE evaluation_judgements SET used_at = now() WHERE tenant_id = $1 AND key = $2 RETURNING value`,
);
/**
 * Nothing is stored when one of the documents is deleted or in quarantine; the lock keeps documents from being closed in between, which would
 * remove their rows.
 */
const KEEP = statement(
  {},
  `WITH open AS MATERIALIZED (
     SELECT d.id FROM documents d WHERE d.id = ANY ($4::uuid[]) AND ${isOpen('d')} ORDER BY d.id FOR SHARE)
   INSERT INTO evaluation_judgements (tenant_id, key, value, document_ids)
   SELECT $1::uuid, $2::bytea, $3::float8, $4::uuid[] WHERE (SELECT count(*) FROM open) = cardinality($4::uuid[])
   ON CONFLICT (tenant_id, key) DO UPDATE SET used_at = now()`,
);
const TRIM = statement(
  {},
  `DELETE FROM evaluation_judgements e USING (
     SELECT key FROM evaluation_judgements WHERE tenant_id = $1 ORDER BY used_at DESC OFFSET $2) old
   WHERE e.tenant_id = $1 AND e.key = old.key`,
);

/** Stored judgements, so that the same judgement is not paid for twice. */
@Injectable()
export class JudgementsRepository extends TenantRepository {
  /** Values kept since the last look at the bound, by tenant. */
  private readonly sinceTrim = new Map<string, number>();

  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  async find(ctx: RequestContext, key: Buffer): Promise<number | undefined> {
    return (await this.queryOne(ctx, FIND, [ctx.tenantId, key]))?.value;
  }

  /** `documentIds`: each document once whose text the value rests on. */
  async keep(ctx: RequestContext, key: Buffer, value: number, documentIds: readonly string[]): Promise<void> {
    await this.query(ctx, KEEP, [ctx.tenantId, key, value, documentIds]);
    const kept = (this.sinceTrim.get(ctx.tenantId) ?? 0) + 1;
    this.sinceTrim.set(ctx.tenantId, kept >= ROWS_PER_TRIM ? 0 : kept);
    if (kept >= ROWS_PER_TRIM) await this.query(ctx, TRIM, [ctx.tenantId, MOST_ROWS]);
  }
}
