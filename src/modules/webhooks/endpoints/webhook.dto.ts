import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { IfPresent, ListQueryDto } from '#libs/http';
import { MAX_URL_LENGTH } from '../target/webhook-target.js';
import { DISABLED_REASONS, type DisabledReason } from './webhook-endpoint.entity.js';
import { WEBHOOK_EVENTS, type WebhookEvent } from './webhook-events.js';

const MAX_DESCRIPTION = 500;
const COUNT = { type: 'integer', minimum: 0 } as const;
const URL_SCHEMA = {
  type: String,
  format: 'uri',
  maxLength: MAX_URL_LENGTH,
  example: 'https://example.com/hooks/knowledge',
} as const;
const EVENTS_SCHEMA = {
  enum: WEBHOOK_EVENTS,
  isArray: true,
  minItems: 1,
  maxItems: WEBHOOK_EVENTS.length,
  example: ['document.completed', 'document.failed'],
} as const;
const DESCRIPTION_SCHEMA = { type: String, nullable: true, maxLength: MAX_DESCRIPTION } as const;

/** A new webhook. */
export class CreateWebhookRequest {
  /**
   * Address that events are sent to by POST: `https://`, or `http://` where nothing on the way can read it. The address must be public, on
   * port 80, 443 or above 1023, unless `WEBHOOK_ALLOWED_HOSTS` lists the host as it is written here. It must have no user name or password.
   * Redirects are not followed.
   */
  @ApiProperty(URL_SCHEMA)
  @IsString()
  @MaxLength(MAX_URL_LENGTH)
  url!: string;

  /** Events that are sent to the webhook. */
  @ApiProperty(EVENTS_SCHEMA)
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(WEBHOOK_EVENTS.length)
  @IsIn(WEBHOOK_EVENTS, { each: true })
  events!: WebhookEvent[];

  /** Purpose of the webhook. */
  @ApiPropertyOptional(DESCRIPTION_SCHEMA)
  @IsOptional()
  @IsString()
  @MaxLength(MAX_DESCRIPTION)
  description?: string | null;

  /** Whether the webhook is enabled. Events that happen while it is disabled are not sent later. */
  @ApiPropertyOptional({ type: Boolean, default: true })
  @IfPresent()
  @IsBoolean()
  enabled?: boolean;
}

/** Changes of a webhook; what is left out stays. */
export class UpdateWebhookRequest {
  /** New address that events are sent to, with the rules of `POST /webhooks`. */
  @ApiPropertyOptional(URL_SCHEMA)
  @IfPresent()
  @IsString()
  @MaxLength(MAX_URL_LENGTH)
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
  @ApiPropertyOptional(DESCRIPTION_SCHEMA)
  @IsOptional()
  @IsString()
  @MaxLength(MAX_DESCRIPTION)
  description?: string | null;

  /** Whether the webhook is enabled. `false` cancels all deliveries that have not been sent; `true` clears `disabled_reason`. */
  @ApiPropertyOptional({ type: Boolean })
  @IfPresent()
  @IsBoolean()
  enabled?: boolean;
}

export const WEBHOOK_ORDERS = ['created_at', '-created_at'] as const;
export type WebhookOrder = (typeof WEBHOOK_ORDERS)[number];

/** Paging and order of webhooks. */
export class ListWebhooksQuery extends ListQueryDto {
  /** Order of the rows; a minus sign means descending. */
  @ApiPropertyOptional({ enum: WEBHOOK_ORDERS, default: '-created_at' })
  @IsOptional()
  @IsIn(WEBHOOK_ORDERS)
  order_by: WebhookOrder = '-created_at';
}

/** An address that is told of events. */
export class Webhook {
  /** Identifier of the webhook. */
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  /** Identifier of the account that made the webhook. Only events of datasets that this account sees at the time of the delivery are sent. */
  @ApiProperty({ type: String, format: 'uuid' })
  account_id!: string;

  /** Identifiers of the only datasets whose events are sent, if an API key limited to certain datasets made the webhook; null: all that the account sees. */
  @ApiProperty({ type: 'array', items: { type: 'string', format: 'uuid' }, nullable: true })
  dataset_ids!: string[] | null;

  /** Address that events are sent to. */
  @ApiProperty({ type: String, format: 'uri' })
  url!: string;

  /** Events that are sent to the webhook. */
  @ApiProperty({ enum: WEBHOOK_EVENTS, isArray: true })
  events!: WebhookEvent[];

  /** Purpose of the webhook; null: none was given. */
  @ApiProperty({ type: String, nullable: true })
  description!: string | null;

  /** Whether the webhook is enabled. */
  @ApiProperty({ type: Boolean })
  enabled!: boolean;

  /**
   * Why the webhook is disabled. `requested`: by PATCH. `gone`: the receiver answered 410. `failing`: no attempt succeeded for five days.
   * `account_left`: the account left the tenant. `permission_lost`: the account may no longer manage webhooks. null: it is enabled.
   */
  @ApiProperty({ enum: DISABLED_REASONS, nullable: true, type: String })
  disabled_reason!: DisabledReason | null;

  /** Time when the webhook was disabled; null: it is enabled. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  disabled_at!: string | null;

  /** Time since which no attempt has succeeded; null: the last attempt succeeded, or there was none. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  failing_since!: string | null;

  /** Time until which messages are also signed with the former secret; null: they have one signature. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  former_secret_expires_at!: string | null;

  /** Time of creation. */
  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  /** Time of the last change. */
  @ApiProperty({ type: String, format: 'date-time' })
  updated_at!: string;
}

/** A webhook with its secret. */
export class WebhookWithSecret extends Webhook {
  /** Secret that signs messages: `whsec_` and base64. Shown only in this answer: an answer repeated for an `Idempotency-Key` does not contain it. */
  @ApiPropertyOptional({ type: String, example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })
  secret!: string;
}

/** A page of webhooks. */
export class WebhookPage {
  /** The webhooks of this page. */
  @ApiProperty({ type: [Webhook] })
  items!: Webhook[];

  /** Total number of webhooks. */
  @ApiProperty(COUNT)
  total!: number;

  /** Number of rows left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** Maximum number of rows in a page. */
  @ApiProperty(COUNT)
  limit!: number;
}
