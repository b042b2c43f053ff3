import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { DatasetId, TenantId } from '#libs/common';

/** What calls of a model took on a day. */
@Entity('model_usage')
export class ModelUsageEntity {
  @PrimaryColumn('uuid')
  readonly tenant_id!: TenantId;

  /** UTC. */
  @PrimaryColumn('date')
  readonly day!: string;

  /** The nil UUID for calls that were made for no dataset. */
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

  /** Those of the tokens that the provider told nothing of. */
  @Column('bigint', { default: 0 })
  readonly estimated_tokens!: string;

  @Column('numeric', { precision: 24, scale: 9, default: 0 })
  readonly cost!: string;
}

/** The sums of a calendar month (UTC), against which budgets are held. */
@Entity('model_months')
export class ModelMonthEntity {
  @PrimaryColumn('uuid')
  readonly tenant_id!: TenantId;

  /** Its first day. */
  @PrimaryColumn('date')
  readonly month!: string;

  @Column('bigint', { default: 0 })
  readonly tokens!: string;

  @Column('numeric', { precision: 24, scale: 9, default: 0 })
  readonly cost!: string;
}

/** What is set aside for a call under way. */
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

  /** A process that died has set aside nothing any more then. */
  @Column('timestamp with time zone', { precision: 3 })
  readonly expires_at!: Date;
}
