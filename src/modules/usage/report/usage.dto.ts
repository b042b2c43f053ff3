import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayUnique, IsIn, IsOptional, Matches } from 'class-validator';
import { Answer, Choice } from '#libs/http';

export const USAGE_GROUPS = ['period', 'dataset', 'model', 'purpose'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];
export const USAGE_PERIODS = ['day', 'month'] as const;
export type UsagePeriod = (typeof USAGE_PERIODS)[number];

const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const DATE = { type: String, format: 'date', example: '2026-11-01' } as const;

/** Period and grouping of the report. */
export class UsageQuery {
  /** First day (UTC); left out: the first day of the present month. */
  @ApiPropertyOptional(DATE)
  @IsOptional()
  @Matches(DAY)
  from?: string;

  /** Last day (UTC), included; left out: today. */
  @ApiPropertyOptional(DATE)
  @IsOptional()
  @Matches(DAY)
  to?: string;

  /** Length of a period. */
  @Choice(USAGE_PERIODS, { query: true, default: 'day' })
  period: UsagePeriod = 'day';

  /** Properties to group by, separated by commas; the usage is summed up over all other properties. */
  @ApiPropertyOptional({ type: String, default: 'period,model', example: 'period,dataset,model,purpose' })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.split(',') : value))
  @ArrayMaxSize(USAGE_GROUPS.length)
  @ArrayUnique()
  @IsIn(USAGE_GROUPS, { each: true })
  group_by: UsageGroup[] = ['period', 'model'];
}

/** Requests, tokens and cost. */
export class UsageSums {
  /** Number of requests that providers received and answered. */
  @Answer.Count()
  requests!: number;

  /** Number of tokens that models read. */
  @Answer.Count()
  input_tokens!: number;

  /** Number of tokens that models wrote. */
  @Answer.Count()
  output_tokens!: number;

  /** Number of those tokens, read and written, that the service counted itself because the provider reported none. */
  @Answer.Count()
  estimated_tokens!: number;

  /** Cost by the prices in `MODEL_PRICES` at the time of the calls, in the currency of that setting. */
  @Answer.Decimal({ min: 0 })
  cost!: number;
}

/** Usage of one group. Properties that `group_by` does not name are null. */
export class UsageRow extends UsageSums {
  /** The day, or the first day of the month (UTC); null: not grouped by period. */
  @Answer.Text({ nullable: true, described: { format: 'date' }, example: '2026-11-01' })
  period!: string | null;

  /** Identifier of the dataset; null: calls for no dataset, or not grouped by dataset. A call for several datasets counts for each in equal parts. */
  @Answer.Uuid({ nullable: true })
  dataset_id!: string | null;

  /** Name of the dataset; null: the caller does not see it, it is deleted, or `dataset_id` is null. */
  @Answer.Text({ nullable: true })
  dataset_name!: string | null;

  /** Kind of the adapter, as in the settings; null: not grouped by model. */
  @Answer.Text({ nullable: true })
  provider!: string | null;

  /** Name of the model; null: not grouped by model. */
  @Answer.Text({ nullable: true })
  model!: string | null;

  /**
   * Purpose of the calls: `ingestion`, `reembedding`, `search`, `chat`, `query_expansion`, `semantic_filter`, `table_question`, `embeddings`,
   * …; null: not grouped by purpose.
   */
  @Answer.Text({ nullable: true })
  purpose!: string | null;
}

/** Usage of the present month and its budgets. */
export class BudgetState {
  /** Calendar month (UTC). */
  @Answer.Text({ example: '2026-11' })
  month!: string;

  /** Time when the month ends and the budgets are reset. */
  @Answer.Instant()
  ends_at!: string;

  /** Number of tokens used in the month. */
  @Answer.Count()
  tokens!: number;

  /** Cost in the month, in the currency of `MODEL_PRICES`. */
  @Answer.Decimal({ min: 0 })
  cost!: number;

  /** Number of tokens reserved for calls that have not ended. */
  @Answer.Count()
  reserved_tokens!: number;

  /** Maximum of `tokens`; null: no limit. */
  @Answer.Count({ nullable: true })
  monthly_tokens!: number | null;

  /** Maximum of `cost`; null: no limit. */
  @Answer.Decimal({ nullable: true, min: 0 })
  monthly_cost!: number | null;
}

/** Storage that the tenant's files use. */
export class StorageState {
  /** Size of the originals in bytes: all revisions of documents that are not deleted. */
  @Answer.Count()
  bytes!: number;

  /** Maximum of `bytes` (`TENANT_STORAGE_BYTES`), beyond which uploads are answered 409; null: no limit. */
  @Answer.Count({ nullable: true })
  limit_bytes!: number | null;
}

/** Use of remote models by the tenant. Models that the service runs itself cost nothing and are not counted. */
export class UsageReport {
  /** First day (UTC). */
  @Answer.Text({ described: { format: 'date' }, example: '2026-11-01' })
  from!: string;

  /** Last day (UTC), included. */
  @Answer.Text({ described: { format: 'date' }, example: '2026-11-01' })
  to!: string;

  /** Usage by group, newest period first, then by cost and tokens; at most 10,000 rows. */
  @Answer.NestedList(UsageRow)
  items!: UsageRow[];

  /** Whether `items` leaves out rows. */
  @Answer.Flag()
  truncated!: boolean;

  /** Sums over all rows, including those that `items` leaves out. */
  @Answer.Nested(UsageSums)
  sums!: UsageSums;

  /** The present month and its budgets, regardless of the requested period. */
  @Answer.Nested(BudgetState)
  budget!: BudgetState;

  /** Present storage of the tenant, regardless of the requested period. */
  @Answer.Nested(StorageState)
  storage!: StorageState;
}
