import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TenantId } from '#libs/common';

/** Limits of a calendar month (UTC); null or absent: no limit. */
export interface TenantBudgets {
  readonly monthly_tokens?: number | null;
  readonly monthly_cost?: number | null;
}

/** A tenant. */
@Entity('tenants')
export class TenantEntity {
  @PrimaryColumn('uuid')
  readonly id!: TenantId;

  @Column('text')
  readonly name!: string;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly updated_at!: Date;

  /** Limits on the use of remote models in a calendar month; null: no limits. */
  @Column('jsonb', { nullable: true })
  readonly budgets!: TenantBudgets | null;

  /** Whether the release of a document from quarantine needs one account that requests it and another one that grants it. */
  @Column('boolean', { default: false })
  readonly release_needs_two!: boolean;
}
