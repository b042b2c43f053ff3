import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { AccountId, Brand, DatasetId, TenantId } from '#libs/common';
import type { WebhookEvent } from './webhook-events.js';

export type WebhookId = Brand<string, 'WebhookId'>;

/**
 * Why an endpoint is disabled: by request; its receiver answered 410; it failed for five days; its account left the tenant, or may no
 * longer manage webhooks.
 */
export const DISABLED_REASONS = ['requested', 'gone', 'failing', 'account_left', 'permission_lost'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** A webhook: an address that events are sent to. */
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

  /** Account that it acts as. */
  @Column('uuid')
  readonly account_id!: AccountId;

  /** The only datasets whose events it gets; null: all that its account sees. */
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

  /** Time since which no attempt has succeeded; null: the last attempt succeeded, or there was none. */
  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly failing_since!: Date | null;

  /** The encrypted secret. */
  @Column('text')
  readonly secret!: string;

  /** The encrypted former secret, which also signs until `former_secret_until`. */
  @Column('text', { nullable: true })
  readonly former_secret!: string | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly former_secret_until!: Date | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly updated_at!: Date;
}
