import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayUnique, IsIn, IsOptional, Matches } from 'class-validator';

export const USAGE_GROUPS = ['period', 'dataset', 'model', 'purpose'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];
export const USAGE_PERIODS = ['day', 'month'] as const;
export type UsagePeriod = (typeof USAGE_PERIODS)[number];

const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const COUNT = { type: 'integer', minimum: 0 } as const;
const DATE = { type: String, format: 'date', example: '2026-11-01' } as const;

/** Which usage, and how it is summed up. */
export class UsageQuery {
  /** First day (UTC); default: the first of the present month. */
  @ApiPropertyOptional(DATE)
  @IsOptional()
  @Matches(DAY)
  from?: string;

  /** Last day (UTC), included; default: today. */
  @ApiPropertyOptional(DATE)
  @IsOptional()
  @Matches(DAY)
  to?: string;

  /** Length of a period. */
  @ApiPropertyOptional({ enum: USAGE_PERIODS, default: 'day' })
  @IsOptional()
  @IsIn(USAGE_PERIODS)
  period: UsagePeriod = 'day';

  /** What has a row of its own, separated by commas; what is not named is summed up. */
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
  /** Requests that providers were sent and answered. */
  @ApiProperty(COUNT)
  requests!: number;

  /** Tokens that models read. */
  @ApiProperty(COUNT)
  input_tokens!: number;

  /** Tokens that models wrote. */
  @ApiProperty(COUNT)
  output_tokens!: number;

  /** Those of both that a provider told nothing of and that were counted here. */
  @ApiProperty(COUNT)
  estimated_tokens!: number;

  /** By the prices of the installation (`MODEL_PRICES`) at the time of the calls, in their currency. */
  @ApiProperty({ type: Number, minimum: 0 })
  cost!: number;
}

/** Usage of one group. What `group_by` does not name is null. */
export class UsageRow extends UsageSums {
  /** The day, or the first day of the month (UTC). */
  @ApiProperty({ ...DATE, nullable: true })
  period!: string | null;

  /** The dataset; null for calls that were made for none. A call over several counts for each in equal parts. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  dataset_id!: string | null;

  /** Its name; null where the caller does not see it, and where it is gone. */
  @ApiProperty({ type: String, nullable: true })
  dataset_name!: string | null;

  /** The kind of the adapter, as settings name it. */
  @ApiProperty({ type: String, nullable: true })
  provider!: string | null;

  /** The model. */
  @ApiProperty({ type: String, nullable: true })
  model!: string | null;

  /** What it was called for: `ingestion`, `reembedding`, `search`, `chat`, `query_expansion`, `semantic_filter`, `table_question`, `embeddings`, … */
  @ApiProperty({ type: String, nullable: true })
  purpose!: string | null;
}

/** The present month against its budgets. */
export class BudgetState {
  /** The month (UTC). */
  @ApiProperty({ type: String, example: '2026-11' })
  month!: string;

  /** When the budgets begin anew. */
  @ApiProperty({ type: String, format: 'date-time' })
  ends_at!: string;

  /** Tokens that were taken. */
  @ApiProperty(COUNT)
  tokens!: number;

  /** What they cost. */
  @ApiProperty({ type: Number, minimum: 0 })
  cost!: number;

  /** Tokens that are set aside for calls under way. */
  @ApiProperty(COUNT)
  reserved_tokens!: number;

  /** Bound of `tokens`; null: none. */
  @ApiProperty({ ...COUNT, nullable: true })
  monthly_tokens!: number | null;

  /** Bound of `cost`; null: none. */
  @ApiProperty({ type: Number, minimum: 0, nullable: true })
  monthly_cost!: number | null;
}

/** What the files of the tenant take. */
export class StorageState {
  /** Bytes of original files: all revisions of documents that are not deleted. */
  @ApiProperty(COUNT)
  bytes!: number;

  /** Bound of `bytes` (`TENANT_STORAGE_BYTES`), beyond which uploads are answered 409; null: none. */
  @ApiProperty({ ...COUNT, nullable: true })
  limit_bytes!: number | null;
}

/** What the tenant took of remote models. Models that are computed by the service itself cost nothing and are not counted. */
export class UsageReport {
  /** First day. */
  @ApiProperty(DATE)
  from!: string;

  /** Last day. */
  @ApiProperty(DATE)
  to!: string;

  /** Newest period first, then by cost and tokens; at most 10,000. */
  @ApiProperty({ type: [UsageRow] })
  items!: UsageRow[];

  /** Whether there are more. */
  @ApiProperty({ type: Boolean })
  truncated!: boolean;

  /** The sums over all of them. */
  @ApiProperty({ type: UsageSums })
  sums!: UsageSums;

  /** The present month, whatever was asked for. */
  @ApiProperty({ type: BudgetState })
  budget!: BudgetState;

  /** What its files take now, whatever was asked for. */
  @ApiProperty({ type: StorageState })
  storage!: StorageState;
}
