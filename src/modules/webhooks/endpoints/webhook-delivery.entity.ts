import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { DatasetId, TenantId } from '#libs/common';
import { WebhookEndpointEntity, type WebhookId } from './webhook-endpoint.entity.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** An attempt in the delivery log. */
export interface AttemptRecord {
  /** Time of its beginning. */
  readonly at: string;
  /** HTTP status of the answer; null: there was no answer. */
  readonly status_code: number | null;
  readonly duration_ms: number;
  /** Failure code; null: the attempt succeeded. */
  readonly error: string | null;
  /** Beginning of the answer's body; null: there was no answer. */
  readonly response_excerpt: string | null;
}

/** The delivery of an event to an endpoint. */
@Entity('webhook_deliveries')
@Unique('webhook_deliveries_endpoint_id_event_id_key', ['endpoint_id', 'event_id'])
@Index('webhook_deliveries_lane', { synchronize: false }) // partial: the migration alone says how
@Index('webhook_deliveries_list', { synchronize: false }) // descending
@Index('webhook_deliveries_ended', { synchronize: false }) // partial
@Check('webhook_deliveries_status_check', "status IN ('pending', 'delivered', 'failed', 'cancelled')")
export class WebhookDeliveryEntity {
  /** Also its `webhook-id`, the same in every attempt. */
  @PrimaryColumn('uuid')
  readonly id!: string;

  @Column('uuid')
  readonly tenant_id!: TenantId;

  @ForeignKey(() => WebhookEndpointEntity, { name: 'webhook_deliveries_endpoint_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid')
  readonly endpoint_id!: WebhookId;

  @Column('uuid')
  readonly event_id!: string;

  /** Number of the event: orders the deliveries of a lane. */
  @Column('bigint')
  readonly seq!: string;

  @Column('text')
  readonly event_type!: string;

  /** Subject of the event; deliveries with the same subject form a lane and are sent one after another. */
  @Column('uuid')
  readonly lane!: string;

  /** Datasets that the account must see for the event to be sent; empty: none. */
  @Column('uuid', { array: true })
  readonly dataset_ids!: readonly DatasetId[];

  /** The exact bytes that are sent. */
  @Column('text')
  readonly body!: string;

  @Column('text')
  readonly status!: DeliveryStatus;

  /** Number of attempts since it was created or requested again: the position in the schedule. */
  @Column('integer', { default: 0 })
  readonly tries!: number;

  /** Number of all attempts. */
  @Column('integer', { default: 0 })
  readonly attempt_count!: number;

  /** The last attempts, oldest first. */
  @Column('jsonb', { default: [] })
  readonly attempts!: readonly AttemptRecord[];

  @Column('text', { nullable: true })
  readonly error_code!: string | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly next_attempt_at!: Date | null;

  /** Task that is sending it, or waits until it is due. */
  @Column('uuid', { nullable: true })
  readonly claimed_by!: string | null;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly claimed_until!: Date | null;

  @Column('timestamp with time zone', { precision: 3, default: () => 'now()' })
  readonly created_at!: Date;

  @Column('timestamp with time zone', { precision: 3, nullable: true })
  readonly ended_at!: Date | null;
}
