import { Injectable } from '@nestjs/common';
import { result, SQL_NOW, statement, statementFamily, TenantRepository, UnitOfWork, type RowOf } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import type { UsageGroup, UsagePeriod } from './usage.dto.js';

/** Columns of a group; columns that were not requested are null. */
const GROUP_COLUMNS: Readonly<Record<UsageGroup, readonly string[]>> = {
  period: ['period'],
  dataset: ['dataset_id'],
  model: ['provider', 'model'],
  purpose: ['purpose'],
};
const TYPES: Readonly<Record<string, string>> = { dataset_id: 'uuid' };
const SUM_COLUMNS = {
  requests: result.float,
  input_tokens: result.float,
  output_tokens: result.float,
  estimated_tokens: result.float,
  cost: result.float,
};
const SUMS = `coalesce(sum(requests), 0)::float8 AS requests, coalesce(sum(input_tokens), 0)::float8 AS input_tokens,
  coalesce(sum(output_tokens), 0)::float8 AS output_tokens, coalesce(sum(estimated_tokens), 0)::float8 AS estimated_tokens,
  coalesce(sum(cost), 0)::float8 AS cost`;
const COLUMNS = {
  period: result.orNull(result.text()),
  dataset_id: result.orNull(result.uuid()),
  provider: result.orNull(result.text()),
  model: result.orNull(result.text()),
  purpose: result.orNull(result.text()),
  ...SUM_COLUMNS,
};
export type UsageGroupRow = RowOf<typeof COLUMNS>;
export type UsageSumsRow = RowOf<typeof SUM_COLUMNS>;

const GROUPED = statementFamily(
  COLUMNS,
  (groups: readonly UsageGroup[], period: UsagePeriod) => {
    const asked = new Set(groups.flatMap((group) => GROUP_COLUMNS[group]));
    const all = Object.values(GROUP_COLUMNS).flat();
    const shown = all.map((name) => (asked.has(name) ? name : `NULL::${TYPES[name] ?? 'text'} AS ${name}`));
    const of = period === 'month' ? `date_trunc('month', day)::date::text` : 'day::text';
    return `SELECT ${shown.join(', ')}, ${SUMS} FROM (
       SELECT ${of} AS period, dataset_id, provider, model, purpose, requests, input_tokens, output_tokens, estimated_tokens, cost
       FROM model_usage WHERE tenant_id = $1 AND day BETWEEN $2 AND $3) u
     ${asked.size === 0 ? '' : `GROUP BY ${[...asked].join(', ')}`}
     ORDER BY ${asked.has('period') ? 'period DESC, ' : ''}cost DESC, input_tokens DESC LIMIT $4`;
  },
  [
    [['period', 'dataset', 'model', 'purpose'], 'day'],
    [['period', 'model'], 'month'],
    [['dataset'], 'day'],
    [['purpose'], 'day'],
    [[], 'day'],
  ] as const,
);
const TOTAL = statement(SUM_COLUMNS, `SELECT ${SUMS} FROM model_usage WHERE tenant_id = $1 AND day BETWEEN $2 AND $3`);
const MONTH = statement(
  { tokens: result.float, cost: result.float, reserved: result.float },
  `SELECT coalesce(sum(tokens), 0)::float8 AS tokens, coalesce(sum(cost), 0)::float8 AS cost,
     (SELECT coalesce(sum(r.tokens), 0) FROM model_reservations r
      WHERE r.tenant_id = $1 AND r.month = $2 AND r.expires_at > ${SQL_NOW})::float8 AS reserved
   FROM model_months WHERE tenant_id = $1 AND month = $2`,
);

/** Reads the counted usage. */
@Injectable()
export class UsageRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  listGroups(
    ctx: RequestContext,
    span: { readonly from: string; readonly to: string },
    how: { readonly groups: readonly UsageGroup[]; readonly period: UsagePeriod; readonly limit: number },
  ): Promise<UsageGroupRow[]> {
    return this.query(ctx, GROUPED.of(how.groups, how.period), [ctx.tenantId, span.from, span.to, how.limit]);
  }

  async sum(ctx: RequestContext, span: { readonly from: string; readonly to: string }): Promise<UsageSumsRow> {
    return (await this.queryOne(ctx, TOTAL, [ctx.tenantId, span.from, span.to]))!;
  }

  /** Tokens and cost of a month, given by its first day, and the reserved tokens. */
  async findMonth(ctx: RequestContext, firstDay: string) {
    return (await this.queryOne(ctx, MONTH, [ctx.tenantId, firstDay]))!;
  }
}
