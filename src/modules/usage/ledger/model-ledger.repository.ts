import type { TenantId } from '#libs/common';
import { result, SQL_NOW, statement, systemRowsOf, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import type { BillingMonth } from './billing-month.js';

/** Budgets of a tenant in a calendar month; null: no limit. */
export interface Budgets {
  readonly monthly_tokens?: number | null;
  readonly monthly_cost?: number | null;
}

/** Tokens and cost. */
export interface Amount {
  readonly tokens: number;
  readonly cost: number;
}

/** Amounts to add to a row of `model_usage`. */
export interface UsageShare {
  readonly datasetId: string;
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly estimatedTokens: number;
  readonly cost: number;
}

export interface SettledCall {
  readonly day: string;
  readonly month: BillingMonth;
  readonly port: string;
  readonly provider: string;
  readonly model: string;
  readonly purpose: string;
  readonly shares: readonly UsageShare[];
  /** Identifier of the reservation; null: nothing was reserved. */
  readonly reservation: string | null;
}

const FIND_BUDGETS = statement(
  { budgets: result.orNull(result.json<Budgets>()) },
  `SELECT budgets FROM tenants WHERE id = $1`,
);
/** Locks the row of the month, so that two calls cannot use the same remaining budget. */
const HOLD_MONTH = statement(
  { tokens: result.float, cost: result.float },
  `INSERT INTO model_months (tenant_id, month) VALUES ($1, $2)
   ON CONFLICT (tenant_id, month) DO UPDATE SET tokens = model_months.tokens
   RETURNING tokens::float8 AS tokens, cost::float8 AS cost`,
);
const SUM_RESERVED = statement(
  { tokens: result.float, cost: result.float },
  `SELECT coalesce(sum(tokens), 0)::float8 AS tokens, coalesce(sum(cost), 0)::float8 AS cost FROM model_reservations
   WHERE tenant_id = $1 AND month = $2 AND expires_at > ${SQL_NOW}`,
);
const RESERVE = statement(
  {},
  `INSERT INTO model_reservations (id, tenant_id, month, tokens, cost, expires_at)
   VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))`,
);
const DROP_EXPIRED = statement({}, `DELETE FROM model_reservations WHERE tenant_id = $1 AND expires_at <= ${SQL_NOW}`);
const RELEASE = statement({}, `DELETE FROM model_reservations WHERE id = $1`);
const ADD_USAGE = statement(
  {},
  `INSERT INTO model_usage AS u (tenant_id, day, port, provider, model, purpose, dataset_id, requests, input_tokens, output_tokens,
     estimated_tokens, cost)
   SELECT $1::uuid, $2::date, $3, $4, $5, $6, s.* FROM unnest($7::uuid[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[],
     $12::numeric[]) AS s(dataset_id, requests, input_tokens, output_tokens, estimated_tokens, cost)
   ORDER BY s.dataset_id
   ON CONFLICT (tenant_id, day, dataset_id, port, provider, model, purpose) DO UPDATE SET requests = u.requests + excluded.requests,
     input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens,
     estimated_tokens = u.estimated_tokens + excluded.estimated_tokens, cost = u.cost + excluded.cost`,
);
const ADD_TO_MONTH = statement(
  {},
  `INSERT INTO model_months AS m (tenant_id, month, tokens, cost) VALUES ($1, $2, $3, $4)
   ON CONFLICT (tenant_id, month) DO UPDATE SET tokens = m.tokens + excluded.tokens, cost = m.cost + excluded.cost`,
);

/** Rows of usage, months and reservations. */
export class ModelLedgerRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  async findBudgets(tenantId: TenantId): Promise<Budgets | null> {
    const [row] = await systemRowsOf(this.unitOfWork, FIND_BUDGETS, [tenantId]);
    return row?.budgets ?? null;
  }

  /**
   * Reserves an amount if the month's budgets cover it in addition to the usage and other reservations. Resolves to the budget that does
   * not cover it, or to null.
   */
  async reserve(
    ctx: RequestContext,
    wanted: Amount & { readonly id: string; readonly month: BillingMonth; readonly seconds: number },
    budgets: Budgets,
  ): Promise<keyof Budgets | null> {
    const { id, month, tokens, cost, seconds } = wanted;
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const taken = await this.queryOne(inner, HOLD_MONTH, [ctx.tenantId, month.firstDay]);
      await this.query(inner, DROP_EXPIRED, [ctx.tenantId]);
      const reserved = await this.queryOne(inner, SUM_RESERVED, [ctx.tenantId, month.firstDay]);
      const most = { tokens: budgets.monthly_tokens ?? Infinity, cost: budgets.monthly_cost ?? Infinity };
      if (taken!.tokens + reserved!.tokens + tokens > most.tokens) return 'monthly_tokens';
      if (taken!.cost + reserved!.cost + cost > most.cost) return 'monthly_cost';
      await this.query(inner, RESERVE, [id, ctx.tenantId, month.firstDay, tokens, cost, seconds]);
      return null;
    });
  }

  async release(ctx: RequestContext, id: string): Promise<void> {
    await this.query(ctx, RELEASE, [id]);
  }

  /** Adds the usage of a call to its day and month, and removes its reservation. */
  async settle(ctx: RequestContext, call: SettledCall): Promise<void> {
    const of = <T>(pick: (share: UsageShare) => T): T[] => call.shares.map(pick);
    const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      // Locks in the same order as reservations.
      const tokens = sum(of((s) => s.inputTokens + s.outputTokens));
      await this.query(inner, ADD_TO_MONTH, [ctx.tenantId, call.month.firstDay, tokens, sum(of((s) => s.cost))]);
      await this.query(inner, ADD_USAGE, [
        ctx.tenantId,
        call.day,
        call.port,
        call.provider,
        call.model,
        call.purpose,
        of((s) => s.datasetId),
        of((s) => s.requests),
        of((s) => s.inputTokens),
        of((s) => s.outputTokens),
        of((s) => s.estimatedTokens),
        of((s) => s.cost),
      ]);
      if (call.reservation !== null) await this.query(inner, RELEASE, [call.reservation]);
    });
  }
}
