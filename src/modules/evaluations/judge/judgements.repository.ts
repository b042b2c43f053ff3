import { Injectable } from '@nestjs/common';
import { columnsOf, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { isOpen } from '../../documents/index.js';
import { JudgementEntity } from './judgement.entity.js';

/** The most values that are kept of a tenant; those that were used longest ago go first. */
const MOST_ROWS = 200_000;
/** What is beyond the bound is removed each time this many values have been kept. */
const ROWS_PER_TRIM = 1_000;

const FIND = statement(
  columnsOf(JudgementEntity, 'value'),
  `UPDATE evaluation_judgements SET used_at = now() WHERE tenant_id = $1 AND key = $2 RETURNING value`,
);
/** Of documents of which one is deleted or in quarantine nothing is kept; the lock lets none be closed in between, which removes its rows. */
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

/** What a judge said before, so that the same is not paid for twice. */
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
