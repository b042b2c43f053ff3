import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn } from 'class-validator';
import { Answer, Choice, Flag, IfPresent, ListQueryDto, PageOf, Text } from '#libs/http';
import { MAX_URL_LENGTH } from '../target/webhook-target.js';
import { DISABLED_REASONS, type DisabledReason } from './webhook-endpoint.entity.js';
import { WEBHOOK_EVENTS, type WebhookEvent } from './webhook-events.js';

const MAX_DESCRIPTION = 500;
const EVENTS_SCHEMA = {
  enum: WEBHOOK_EVENTS,
  isArray: true,
  minItems: 1,
  maxItems: WEBHOOK_EVENTS.length,
  example: ['document.completed', 'document.failed'],
} as const;

/** A new webhook. */
export class CreateWebhookRequest {
  /**
   * Address that events are sent to by POST: `https://`, or `http://` where nothing on the way can read it. The address must be public, on
   * port 80, 443 or above 1023, unless `WEBHOOK_ALLOWED_HOSTS` lists the host as it is written here. It must have no user name or password.
   * Redirects are not followed.
   */
  @Text({ max: MAX_URL_LENGTH, described: { format: 'uri' }, example: 'https://example.com/hooks/knowledge' })
  url!: string;

  /** Events that are sent to the webhook. */
  @ApiProperty(EVENTS_SCHEMA)
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(WEBHOOK_EVENTS.length)
  @IsIn(WEBHOOK_EVENTS, { each: true })
  events!: WebhookEvent[];

  /** Purpose of the webhook; null or left out: none. */
  @Text({ optional: true, nullable: true, max: MAX_DESCRIPTION })
  description?: string | null;

  /** Whether the webhook is enabled. Events that happen while it is disabled are not sent later. */
  @Flag({ optional: true, default: true })
  enabled?: boolean;
}

/** Changes of a webhook; fields that are left out stay unchanged. */
export class UpdateWebhookRequest {
  /** New address that events are sent to, with the rules of `POST /webhooks`. */
  @Text({
    optional: true,
    max: MAX_URL_LENGTH,
    described: { format: 'uri' },
    example: 'https://example.com/hooks/knowledge',
  })
  url?: string;

  /** All events that are sent to the webhook; replaces the present ones. */
  @ApiPropertyOptional(EVENTS_SCHEMA)
  @IfPresent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(WEBHOOK_EVENTS.length)
  @IsIn(WEBHOOK_EVENTS, { each: true })
  events?: WebhookEvent[];

  /** New purpose of the webhook; null removes it. */
  @Text({ optional: true, nullable: true, max: MAX_DESCRIPTION })
  description?: string | null;

  /** Whether the webhook is enabled. `false` cancels all deliveries that have not been sent; `true` clears `disabled_reason`. */
  @Flag({ optional: true })
  enabled?: boolean;
}

export const WEBHOOK_ORDERS = ['created_at', '-created_at'] as const;
export type WebhookOrder = (typeof WEBHOOK_ORDERS)[number];

/** Paging and order of webhooks. */
export class ListWebhooksQuery extends ListQueryDto {
  /** Order of the rows; a minus sign means descending. */
  @Choice(WEBHOOK_ORDERS, { query: true, default: '-created_at' })
  order_by: WebhookOrder = '-created_at';
}

/** A webhook: an address that events are sent to. */
export class Webhook {
  /** Identifier of the webhook. */
  @Answer.Uuid()
  id!: string;

  /**
   * Identifier of the account that created the webhook. Only events of datasets that this account sees at the time of the delivery are
   * sent.
   */
  @Answer.Uuid()
  account_id!: string;

  /**
   * Identifiers of the only datasets whose events are sent, if an API key that is limited to certain datasets created the webhook; null:
   * events of all datasets that the account sees.
   */
  @ApiProperty({ type: 'array', items: { type: 'string', format: 'uuid' }, nullable: true })
  dataset_ids!: string[] | null;

  /** Address that events are sent to. */
  @Answer.Text({ described: { format: 'uri' } })
  url!: string;

  /** Events that are sent to the webhook. */
  @Answer.Choices(WEBHOOK_EVENTS)
  events!: WebhookEvent[];

  /** Purpose of the webhook; null: none was given. */
  @Answer.Text({ nullable: true })
  description!: string | null;

  /** Whether the webhook is enabled. */
  @Answer.Flag()
  enabled!: boolean;

  /**
   * Why the webhook is disabled. `requested`: by PATCH. `gone`: the receiver answered 410. `failing`: no attempt succeeded for five days.
   * `account_left`: the account left the tenant. `permission_lost`: the account may no longer manage webhooks. null: it is enabled.
   */
  @Answer.Choice(DISABLED_REASONS, { nullable: true })
  disabled_reason!: DisabledReason | null;

  /** Time when the webhook was disabled; null: it is enabled. */
  @Answer.Instant({ nullable: true })
  disabled_at!: string | null;

  /** Time of the first of the failed attempts since the last success; null: the last attempt succeeded, or there was none. */
  @Answer.Instant({ nullable: true })
  failing_since!: string | null;

  /** Time until which messages are also signed with the former secret; null: messages have one signature. */
  @Answer.Instant({ nullable: true })
  former_secret_expires_at!: string | null;

  /** Time of creation. */
  @Answer.Instant()
  created_at!: string;

  /** Time of the last change. */
  @Answer.Instant()
  updated_at!: string;
}

/** A webhook with its secret. */
export class WebhookWithSecret extends Webhook {
  /** Secret that signs messages: `whsec_` and base64. Shown only in this answer: an answer repeated for an `Idempotency-Key` does not contain it. */
  @Answer.Text({ optional: true, example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })
  secret!: string;
}

/** A page of webhooks. */
export class WebhookPage extends PageOf(Webhook, {
  items: 'The webhooks of this page.',
  total: 'Total number of webhooks.',
}) {}
