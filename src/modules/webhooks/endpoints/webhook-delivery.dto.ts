import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { ListQueryDto } from '#libs/http';
import { DELIVERY_STATUSES, type DeliveryStatus } from './webhook-delivery.entity.js';
import { TEST_EVENT, WEBHOOK_EVENTS } from './webhook-events.js';

const COUNT = { type: 'integer', minimum: 0 } as const;
const LOGGED_EVENTS = [...WEBHOOK_EVENTS, TEST_EVENT] as const;
const PAYLOAD_SCHEMA = {
  type: 'object',
  additionalProperties: true,
  example: {
    type: 'document.completed',
    timestamp: '2026-01-05T09:30:00.000Z',
    data: { document_id: '…', dataset_id: '…' },
  },
} as const;

/** Filters of the log of a webhook; newest first. */
export class ListDeliveriesQuery extends ListQueryDto {
  /** Only deliveries with this status. */
  @ApiPropertyOptional({ enum: DELIVERY_STATUSES })
  @IsOptional()
  @IsIn(DELIVERY_STATUSES)
  status?: DeliveryStatus;

  /** Only deliveries of this event. */
  @ApiPropertyOptional({ enum: LOGGED_EVENTS })
  @IsOptional()
  @IsIn(LOGGED_EVENTS)
  event?: (typeof LOGGED_EVENTS)[number];
}

/** One try to send an event. */
export class WebhookAttempt {
  /** Time when the attempt began. */
  @ApiProperty({ type: String, format: 'date-time' })
  at!: string;

  /** HTTP status of the answer; null: there was no answer. */
  @ApiProperty({ type: 'integer', nullable: true })
  status_code!: number | null;

  /** Duration of the attempt in milliseconds. */
  @ApiProperty(COUNT)
  duration_ms!: number;

  /**
   * Reason of the failure; null: the attempt succeeded. `HTTP_STATUS`: the answer is not 2xx; redirects are not followed. `GONE`: the answer
   * is 410. `TIMEOUT`, `CONNECTION_FAILED`. `CERTIFICATE_REFUSED`: the receiver's certificate is not signed by an authority that the service
   * trusts, has expired, or is for another host. `NAME_UNKNOWN`. `TARGET_REFUSED`: the name leads to an address that is not public.
   * `SECRET_UNREADABLE`: no setting has the key that encrypted the secret; rotate the secret.
   */
  @ApiProperty({ type: String, nullable: true })
  error!: string | null;

  /** Beginning of the body of the answer, at most 1,000 characters; null: there was no answer. */
  @ApiProperty({ type: String, nullable: true })
  response_excerpt!: string | null;
}

/** That an event is, or was, sent to a webhook. */
export class WebhookDelivery {
  /** Identifier of the delivery; also its `webhook-id` header, the same for every attempt. */
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  /** Event that is delivered. */
  @ApiProperty({ enum: LOGGED_EVENTS })
  event!: string;

  /**
   * `pending`: the event is being sent, or waits for its next attempt or for an earlier event of the same document. `delivered`: the receiver
   * answered 2xx. `failed`: the last attempt of the schedule failed, or the receiver answered 410. `cancelled`: the event will not be sent.
   */
  @ApiProperty({ enum: DELIVERY_STATUSES })
  status!: DeliveryStatus;

  /**
   * Reason of the last failure, as in `error` of `attempts`, or of the cancellation: `WEBHOOK_DISABLED`, or `DATASET_NOT_VISIBLE` (the account
   * of the webhook no longer sees the dataset); null: none.
   */
  @ApiProperty({ type: String, nullable: true })
  error_code!: string | null;

  /** Number of attempts. */
  @ApiProperty(COUNT)
  attempt_count!: number;

  /** The last 20 attempts, oldest first. */
  @ApiProperty({ type: [WebhookAttempt] })
  attempts!: WebhookAttempt[];

  /** HTTP status of the last answer; null: there was no answer. */
  @ApiProperty({ type: 'integer', nullable: true })
  status_code!: number | null;

  /** Earliest time of the next attempt; null: there is none. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  next_attempt_at!: string | null;

  /** Body that is sent. */
  @ApiProperty(PAYLOAD_SCHEMA)
  payload!: object;

  /** Time when the event was recorded. */
  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  /** Time when the event was delivered, given up or cancelled; null: not yet. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  ended_at!: string | null;
}

/** A page of the log of a webhook. */
export class WebhookDeliveryPage {
  /** The deliveries of this page. */
  @ApiProperty({ type: [WebhookDelivery] })
  items!: WebhookDelivery[];

  /** Total number of deliveries that match. */
  @ApiProperty(COUNT)
  total!: number;

  /** Number of rows left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** Maximum number of rows in a page. */
  @ApiProperty(COUNT)
  limit!: number;
}
