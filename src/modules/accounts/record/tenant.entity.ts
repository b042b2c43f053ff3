import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TenantId } from '#libs/common';

/** Bounds of a calendar month (UTC); null or absent: none. */
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

  /** What the tenant may take of remote models in a calendar month; null: as much as it wants. */
  @Column('jsonb', { nullable: true })
  readonly budgets!: TenantBudgets | null;

  /** Whether one account asks for the release of a document from quarantine and another one grants it. */
  @Column('boolean', { default: false })
  readonly release_needs_two!: boolean;
}
