import { ModelLedger, type ModelCaller, type ModelUsage, type PlannedCall, type ReservedCall } from '#libs/ai';
import { newId } from '#libs/common';
import type { ModelPrices } from '#libs/config';
import type { UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { dayOf, monthOf } from './billing-month.js';
import { costOf } from './model-costs.service.js';
import { ModelLedgerRepository, type UsageShare } from './model-ledger.repository.js';
import { usageErrors } from '../usage.errors.js';

const NO_DATASET = '00000000-0000-0000-0000-000000000000';

export interface LedgerOptions {
  readonly prices: ModelPrices;
  /** Maximum duration of a call; its reservation expires after twice that. */
  readonly callSeconds: number;
  readonly now?: () => Date;
}

/** The model ledger of an installation: usage in PostgreSQL, prices from the settings, budgets of the tenants. */
export class TenantModelLedger extends ModelLedger {
  private readonly rows: ModelLedgerRepository;

  constructor(
    unitOfWork: UnitOfWork,
    private readonly options: LedgerOptions,
  ) {
    super();
    this.rows = new ModelLedgerRepository(unitOfWork);
  }

  async reserve(call: PlannedCall): Promise<ReservedCall> {
    const ctx = contextOf(call.caller);
    const reservation = await this.setAside(ctx, call);
    return {
      settle: (usage) => this.settle(ctx, call, usage, reservation),
      release: async () => {
        if (reservation !== null) await this.rows.release(ctx, reservation);
      },
    };
  }

  /** A tenant without a budget needs no reservation. */
  private async setAside(ctx: RequestContext, call: PlannedCall): Promise<string | null> {
    const budgets = await this.rows.findBudgets(ctx.tenantId);
    if (budgets === null) return null;
    const now = this.now();
    const month = monthOf(now);
    const { inputTokens, outputTokens } = call.estimate;
    const wanted = {
      id: newId(),
      month,
      tokens: inputTokens + outputTokens,
      cost: this.costOf(call, { ...call.estimate, requests: 1 }),
      seconds: 2 * this.options.callSeconds,
    };
    const exceeded = await this.rows.reserve(ctx, wanted, budgets);
    if (exceeded === null) return wanted.id;
    const retryAfter = Math.max(1, Math.ceil((month.endsAt.getTime() - now.getTime()) / 1_000));
    throw usageErrors.budget_exhausted({ budget: exceeded, period: month.name }, { retryAfter });
  }

  private async settle(
    ctx: RequestContext,
    { port, provider, model, caller }: PlannedCall,
    usage: ModelUsage,
    reservation: string | null,
  ): Promise<void> {
    const now = this.now();
    const shares = this.sharesOf({ provider, model }, caller, usage);
    const call = { port, provider, model, purpose: caller.purpose, shares, reservation };
    await this.rows.settle(ctx, { ...call, day: dayOf(now), month: monthOf(now) });
  }

  /** A call for several datasets counts for each of them in equal parts, which add up to the call. */
  private sharesOf(
    model: { readonly provider: string; readonly model: string },
    { datasetIds }: ModelCaller,
    usage: ModelUsage,
  ): UsageShare[] {
    const datasets = datasetIds.length === 0 ? [NO_DATASET] : [...new Set(datasetIds)];
    const divide = (total: number): number[] => divideEvenly(total, datasets.length);
    const [requests, input, output] = [usage.requests, usage.inputTokens, usage.outputTokens].map(divide);
    const cost = this.costOf(model, usage) / datasets.length;
    return datasets.map((datasetId, at) => ({
      datasetId,
      requests: requests![at]!,
      inputTokens: input![at]!,
      outputTokens: output![at]!,
      estimatedTokens: usage.isEstimated ? input![at]! + output![at]! : 0,
      cost,
    }));
  }

  private costOf(
    model: { readonly provider: string; readonly model: string },
    usage: Pick<ModelUsage, 'inputTokens' | 'outputTokens' | 'requests'>,
  ): number {
    return costOf(this.options.prices, model, usage) ?? 0;
  }

  private now(): Date {
    return this.options.now?.() ?? new Date();
  }
}

function contextOf({ tenantId }: ModelCaller): RequestContext {
  return { tenantId, principal: { kind: 'system', permissions: new Set<never>() }, requestId: newId() };
}

/** Splits a whole number into parts that differ by at most one and add up to it, larger parts first. */
function divideEvenly(total: number, parts: number): number[] {
  const [share, rest] = [Math.floor(total / parts), total % parts];
  return Array.from({ length: parts }, (_, index) => share + (index < rest ? 1 : 0));
}
