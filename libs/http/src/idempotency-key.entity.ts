import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId } from '#libs/common';
import type { KeptResponse } from './kept-response.js';

/** The first result of a request with an `Idempotency-Key`. */
@Entity('idempotency_keys')
@Index('idempotency_keys_expiry', ['expires_at'])
export class IdempotencyKeyEntity {
  @PrimaryColumn('uuid')
  readonly tenant_id!: TenantId;

  @PrimaryColumn('text')
  readonly principal!: string;

  @PrimaryColumn('text')
  readonly route!: string;

  @PrimaryColumn('text')
  readonly key!: string;

  @Column('text')
  readonly body_hash!: string;

  @Column('text')
  readonly owner!: string;

  @Column('jsonb', { nullable: true })
  readonly response!: KeptResponse | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly started_at!: Date;

  @Column('timestamp with time zone', { precision: 3 })
  readonly expires_at!: Date;
}
