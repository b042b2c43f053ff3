import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, Brand, DatasetId, TenantId } from '#libs/common';
import type { WebhookEvent } from './webhook-events.js';

export type WebhookId = Brand<string, 'WebhookId'>;

/**
 * Why an endpoint is off: someone switched it off; its receiver answered 410; it failed for five days; its account left the tenant,
 * or may not manage webhooks any more.
 */
export const DISABLED_REASONS = ['requested', 'gone', 'failing', 'account_left', 'permission_lost'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** An address that is told of events. */
@Entity('webhook_endpoints')
@Index('webhook_endpoints_list', ['tenant_id', 'created_at'])
@Check(
  'webhook_endpoints_disabled_reason_check',
  "disabled_reason IN ('requested', 'gone', 'failing', 'account_left', 'permission_lost')",
)
export class WebhookEndpointEntity {
  @PrimaryColumn('uuid')
  readonly id!: WebhookId;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  /** Whom it acts as. */
  @Column('uuid')
  readonly account_id!: AccountId;

  /** The only datasets that it is told of; null: all that its account sees. */
  @Column('uuid', { array: true, nullable: true })
  readonly dataset_ids!: readonly DatasetId[] | null;

  @Column('text')
  readonly url!: string;

  @Column('text', { array: true })
  readonly events!: readonly WebhookEvent[];

  @Column('text', { nullable: true })
  readonly description!: string | null;

  @Column('boolean')
  readonly enabled!: boolean;

  @Column('text', { nullable: true })
  readonly disabled_reason!: DisabledReason | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly disabled_at!: Date | null;

  /** Since when no attempt succeeded; null: the last one did, or there was none. */
  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly failing_since!: Date | null;

  /** Sealed. */
  @Column('text')
  readonly secret!: string;

  /** Sealed; signs too until `former_secret_until`. */
  @Column('text', { nullable: true })
  readonly former_secret!: string | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly former_secret_until!: Date | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly updated_at!: Date;
}
