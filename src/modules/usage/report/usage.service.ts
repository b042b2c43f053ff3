import { Injectable } from '@nestjs/common';
import { Clock, isMoment } from '#libs/common';
import { Settings } from '#libs/config';
import { validationFailed } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import { UnitOfWork } from '#libs/database';
import { dayOf, monthOf } from '../ledger/billing-month.js';
import { DatasetNames } from './dataset-names.port.js';
import type { BudgetState, StorageState, UsageQuery, UsageReport } from './usage.dto.js';
import { ModelLedgerRepository } from '../ledger/model-ledger.repository.js';
import { TenantBytes } from './tenant-bytes.port.js';
import { UsageRepository, type UsageGroupRow } from './usage.repository.js';

const MOST_ROWS = 10_000;
const NO_DATASET = '00000000-0000-0000-0000-000000000000';

/** Reports the use of remote models by a tenant. */
@Injectable()
export class UsageService {
  private readonly ledger: ModelLedgerRepository;

  constructor(
    private readonly usage: UsageRepository,
    private readonly names: DatasetNames,
    private readonly clock: Clock,
    private readonly bytes: TenantBytes,
    private readonly settings: Settings,
    unitOfWork: UnitOfWork,
  ) {
    this.ledger = new ModelLedgerRepository(unitOfWork);
  }

  /** Datasets that the caller does not see are shown only with their ids. @throws `http.validation_failed` */
  async report(ctx: RequestContext, query: UsageQuery): Promise<UsageReport> {
    const now = new Date(this.clock.now());
    const span = { from: query.from ?? monthOf(now).firstDay, to: query.to ?? dayOf(now) };
    for (const [field, day] of Object.entries(span)) requireDay(field, day);
    requireOrder(query);
    const how = { groups: query.group_by, period: query.period, limit: MOST_ROWS + 1 };
    const rows = await this.usage.listGroups(ctx, span, how);
    const ids = rows.flatMap(({ dataset_id: id }) => (id === null || id === NO_DATASET ? [] : [id]));
    const names = ids.length === 0 ? new Map<string, string>() : await this.names.find(ctx, [...new Set(ids)]);
    return {
      ...span,
      items: rows.slice(0, MOST_ROWS).map((row) => toRow(row, names)),
      truncated: rows.length > MOST_ROWS,
      sums: await this.usage.sum(ctx, span),
      budget: await this.budgetOf(ctx, now),
      storage: await this.storageOf(ctx),
    };
  }

  private async storageOf(ctx: RequestContext): Promise<StorageState> {
    const { tenantStorageBytes: limit } = this.settings.values;
    return { bytes: await this.bytes.sum(ctx), limit_bytes: limit === 0 ? null : limit };
  }

  private async budgetOf(ctx: RequestContext, now: Date): Promise<BudgetState> {
    const month = monthOf(now);
    const budgets = await this.ledger.findBudgets(ctx.tenantId);
    const taken = await this.usage.findMonth(ctx, month.firstDay);
    return {
      month: month.name,
      ends_at: month.endsAt.toISOString(),
      tokens: taken.tokens,
      cost: taken.cost,
      reserved_tokens: taken.reserved,
      monthly_tokens: budgets?.monthly_tokens ?? null,
      monthly_cost: budgets?.monthly_cost ?? null,
    };
  }
}

function toRow(row: UsageGroupRow, names: ReadonlyMap<string, string>): UsageReport['items'][number] {
  const id = row.dataset_id === NO_DATASET ? null : row.dataset_id;
  return { ...row, dataset_id: id, dataset_name: id === null ? null : (names.get(id) ?? null) };
}

/** Days in this form can be compared as texts. A day that the caller left out is not compared, so `from` may be in the future. */
function requireOrder({ from, to }: UsageQuery): void {
  if (from === undefined || to === undefined || from <= to) return;
  throw validationFailed([{ pointer: '/to', code: 'after_from', detail: 'must not be earlier than from' }]);
}

function requireDay(field: string, day: string): void {
  if (isMoment(`${day}T00:00:00Z`)) return;
  throw validationFailed([{ pointer: `/${field}`, code: 'date', detail: `${field} must be an existing calendar day` }]);
}
