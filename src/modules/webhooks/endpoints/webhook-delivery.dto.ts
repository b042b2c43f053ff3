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
  /** Only deliveries in this state. */
  @ApiPropertyOptional({ enum: DELIVERY_STATUSES })
  @IsOptional()
  @IsIn(DELIVERY_STATUSES)
  status?: DeliveryStatus;

  /** Only deliveries of this kind of event. */
  @ApiPropertyOptional({ enum: LOGGED_EVENTS })
  @IsOptional()
  @IsIn(LOGGED_EVENTS)
  event?: (typeof LOGGED_EVENTS)[number];
}

/** One try to send an event. */
export class WebhookAttempt {
  /** When it began. */
  @ApiProperty({ type: String, format: 'date-time' })
  at!: string;

  /** Status code of the answer; null: there was none. */
  @ApiProperty({ type: 'integer', nullable: true })
  status_code!: number | null;

  /** How long it took, in milliseconds. */
  @ApiProperty(COUNT)
  duration_ms!: number;

  /**
   * What went wrong: `HTTP_STATUS` (the answer is not 2xx; redirects are not followed), `GONE` (410), `TIMEOUT`, `CONNECTION_FAILED`,
   * `CERTIFICATE_REFUSED` (nobody whom the service trusts has signed the receiver's certificate, it has expired, or it is for another host),
   * `NAME_UNKNOWN`, `TARGET_REFUSED` (the name leads to an address that is not public) or `SECRET_UNREADABLE` (the key that encrypted the
   * secret is in no setting: rotate the secret). Null: nothing.
   */
  @ApiProperty({ type: String, nullable: true })
  error!: string | null;

  /** Beginning of the answer's body, at most 1,000 characters; null: there was none. */
  @ApiProperty({ type: String, nullable: true })
  response_excerpt!: string | null;
}

/** That an event is, or was, sent to a webhook. */
export class WebhookDelivery {
  /** The delivery; also its `webhook-id` header, the same at every attempt. */
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  /** Kind of the event. */
  @ApiProperty({ enum: LOGGED_EVENTS })
  event!: string;

  /**
   * `pending`: it is sent, waits for its next attempt, or for an earlier event of the same document; `delivered`: the receiver answered
   * 2xx; `failed`: the last attempt of the schedule failed, or it answered 410; `cancelled`: it is not sent.
   */
  @ApiProperty({ enum: DELIVERY_STATUSES })
  status!: DeliveryStatus;

  /**
   * Why it failed last, with the codes of `attempts`, or why it was cancelled: `WEBHOOK_DISABLED`, `DATASET_NOT_VISIBLE` (its account does
   * not see the dataset any more). Null: nothing failed.
   */
  @ApiProperty({ type: String, nullable: true })
  error_code!: string | null;

  /** How many attempts there were. */
  @ApiProperty(COUNT)
  attempt_count!: number;

  /** The last 20 attempts, oldest first. */
  @ApiProperty({ type: [WebhookAttempt] })
  attempts!: WebhookAttempt[];

  /** Status code of the last answer; null: there was none. */
  @ApiProperty({ type: 'integer', nullable: true })
  status_code!: number | null;

  /** When it is tried next at the earliest; null: it is not. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  next_attempt_at!: string | null;

  /** What is sent. */
  @ApiProperty(PAYLOAD_SCHEMA)
  payload!: object;

  /** When it was recorded. */
  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  /** When it was delivered, given up or cancelled; null: not yet. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  ended_at!: string | null;
}

/** A page of the log of a webhook. */
export class WebhookDeliveryPage {
  /** The deliveries of this page. */
  @ApiProperty({ type: [WebhookDelivery] })
  items!: WebhookDelivery[];

  /** How many match in all. */
  @ApiProperty(COUNT)
  total!: number;

  /** Number of rows left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** Maximum number of rows of the page. */
  @ApiProperty(COUNT)
  limit!: number;
}
