import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { DatasetId, TenantId } from '#libs/common';

/** Usage of a model on one day. */
@Entity('model_usage')
export class ModelUsageEntity {
  @PrimaryColumn('uuid')
  readonly tenant_id!: TenantId;

  /** UTC. */
  @PrimaryColumn('date')
  readonly day!: string;

  /** The dataset; the nil UUID for calls without a dataset. */
  @PrimaryColumn('uuid')
  readonly dataset_id!: DatasetId;

  @PrimaryColumn('text')
  readonly port!: string;

  @PrimaryColumn('text')
  readonly provider!: string;

  @PrimaryColumn('text')
  readonly model!: string;

  @PrimaryColumn('text')
  readonly purpose!: string;

  @Column('bigint', { default: 0 })
  readonly requests!: string;

  @Column('bigint', { default: 0 })
  readonly input_tokens!: string;

  @Column('bigint', { default: 0 })
  readonly output_tokens!: string;

  /** Number of those tokens that the provider did not report. */
  @Column('bigint', { default: 0 })
  readonly estimated_tokens!: string;

  @Column('numeric', { precision: 24, scale: 9, default: 0 })
  readonly cost!: string;
}

/** The sums of a calendar month (UTC), which are compared with the budgets. */
@Entity('model_months')
export class ModelMonthEntity {
  @PrimaryColumn('uuid')
  readonly tenant_id!: TenantId;

  /** First day of the month. */
  @PrimaryColumn('date')
  readonly month!: string;

  @Column('bigint', { default: 0 })
  readonly tokens!: string;

  @Column('numeric', { precision: 24, scale: 9, default: 0 })
  readonly cost!: string;
}

/** A reservation for a running call. */
@Entity('model_reservations')
@Index('model_reservations_month', ['tenant_id', 'month'])
export class ModelReservationEntity {
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @Column('date')
  readonly month!: string;

  @Column('bigint')
  readonly tokens!: string;

  @Column('numeric', { precision: 24, scale: 9 })
  readonly cost!: string;

  /** Time at which the reservation expires if the process has died. */
  @Column('timestamp with time zone', { precision: 3 })
  readonly expires_at!: Date;
}
