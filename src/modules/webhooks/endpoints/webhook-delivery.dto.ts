import { Answer, Choice, ListQueryDto, PageOf } from '#libs/http';
import { DELIVERY_STATUSES, type DeliveryStatus } from './webhook-delivery.entity.js';
import { TEST_EVENT, WEBHOOK_EVENTS } from './webhook-events.js';

const LOGGED_EVENTS = [...WEBHOOK_EVENTS, TEST_EVENT] as const;

/** Filters of the log of a webhook; newest first. */
export class ListDeliveriesQuery extends ListQueryDto {
  /** Only deliveries with this status. */
  @Choice(DELIVERY_STATUSES, { query: true })
  status?: DeliveryStatus;

  /** Only deliveries of this event. */
  @Choice(LOGGED_EVENTS, { query: true })
  event?: (typeof LOGGED_EVENTS)[number];
}

/** One try to send an event. */
export class WebhookAttempt {
  /** Time when the attempt began. */
  @Answer.Instant()
  at!: string;

  /** HTTP status of the answer; null: there was no answer. */
  @Answer.Integer({ nullable: true })
  status_code!: number | null;

  /** Duration of the attempt in milliseconds. */
  @Answer.Count()
  duration_ms!: number;

  /**
   * Reason of the failure; null: the attempt succeeded. `HTTP_STATUS`: the answer is not 2xx; redirects are not followed. `GONE`: the answer
   * is 410. `TIMEOUT`, `CONNECTION_FAILED`. `CERTIFICATE_REFUSED`: the receiver's certificate is not signed by an authority that the service
   * trusts, has expired, or is for another host. `NAME_UNKNOWN`. `TARGET_REFUSED`: the name leads to an address that is not public.
   * `SECRET_UNREADABLE`: no setting has the key that encrypted the secret; rotate the secret.
   */
  @Answer.Text({ nullable: true })
  error!: string | null;

  /** Beginning of the body of the answer, at most 1,000 characters; null: there was no answer. */
  @Answer.Text({ nullable: true })
  response_excerpt!: string | null;
}

/** The delivery of an event to a webhook. */
export class WebhookDelivery {
  /** Identifier of the delivery; also its `webhook-id` header, the same for every attempt. */
  @Answer.Uuid()
  id!: string;

  /** Event that is delivered. */
  @Answer.Choice(LOGGED_EVENTS)
  event!: string;

  /**
   * `pending`: the event is being sent, or waits for its next attempt or for an earlier event of the same document. `delivered`: the receiver
   * answered 2xx. `failed`: the last attempt of the schedule failed, or the receiver answered 410. `cancelled`: the event will not be sent.
   */
  @Answer.Choice(DELIVERY_STATUSES)
  status!: DeliveryStatus;

  /**
   * Reason of the last failure, as in `error` of `attempts`, or of the cancellation: `WEBHOOK_DISABLED`, or `DATASET_NOT_VISIBLE` (the account
   * of the webhook no longer sees the dataset); null: none.
   */
  @Answer.Text({ nullable: true })
  error_code!: string | null;

  /** Number of attempts so far. */
  @Answer.Count()
  attempt_count!: number;

  /** The last 20 attempts, oldest first. */
  @Answer.NestedList(WebhookAttempt)
  attempts!: WebhookAttempt[];

  /** HTTP status of the last answer; null: there was no answer. */
  @Answer.Integer({ nullable: true })
  status_code!: number | null;

  /** Earliest time of the next attempt; null: there is none. */
  @Answer.Instant({ nullable: true })
  next_attempt_at!: string | null;

  /** Body that is sent. */
  @Answer.Json({
    example: {
      type: 'document.completed',
      timestamp: '2026-01-05T09:30:00.000Z',
      data: { document_id: '…', dataset_id: '…' },
    },
  })
  payload!: object;

  /** Time when the event was recorded. */
  @Answer.Instant()
  created_at!: string;

  /** Time when the event was delivered, given up or cancelled; null: not yet. */
  @Answer.Instant({ nullable: true })
  ended_at!: string | null;
}

/** A page of the log of a webhook. */
export class WebhookDeliveryPage extends PageOf(WebhookDelivery, {
  items: 'The deliveries of this page.',
  total: 'Total number of deliveries that match.',
}) {}
