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
   * Where events are sent by POST: `https://`, or `http://` where nothing on the way can read it. Public addresses on port 80, 443 or
   * above 1023, unless `WEBHOOK_ALLOWED_HOSTS` lists the host as it is written here. No user name or password. Redirects are not followed.
   */
  @ApiProperty(URL_SCHEMA)
  @IsString()
  @MaxLength(MAX_URL_LENGTH)
  url!: string;

  /** Events that it is told of. */
  @ApiProperty(EVENTS_SCHEMA)
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(WEBHOOK_EVENTS.length)
  @IsIn(WEBHOOK_EVENTS, { each: true })
  events!: WebhookEvent[];

  /** What it is for. */
  @ApiPropertyOptional(DESCRIPTION_SCHEMA)
  @IsOptional()
  @IsString()
  @MaxLength(MAX_DESCRIPTION)
  description?: string | null;

  /** Whether it is on. Events that happen while it is off are not sent later. */
  @ApiPropertyOptional({ type: Boolean, default: true })
  @IfPresent()
  @IsBoolean()
  enabled?: boolean;
}

/** Changes of a webhook; what is left out stays. */
export class UpdateWebhookRequest {
  /** Where events are sent; as in the creation. */
  @ApiPropertyOptional(URL_SCHEMA)
  @IfPresent()
  @IsString()
  @MaxLength(MAX_URL_LENGTH)
  url?: string;

  /** Events that it is told of, all of them. */
  @ApiPropertyOptional(EVENTS_SCHEMA)
  @IfPresent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(WEBHOOK_EVENTS.length)
  @IsIn(WEBHOOK_EVENTS, { each: true })
  events?: WebhookEvent[];

  /** What it is for; null removes it. */
  @ApiPropertyOptional(DESCRIPTION_SCHEMA)
  @IsOptional()
  @IsString()
  @MaxLength(MAX_DESCRIPTION)
  description?: string | null;

  /** False cancels what has not been sent yet; true forgets why it was switched off. */
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
  /** The webhook. */
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  /** Account that made it. It is told only of datasets that this account sees at the time of the delivery. */
  @ApiProperty({ type: String, format: 'uuid' })
  account_id!: string;

  /** The only datasets that it is told of, where an API key with a list of datasets made it; null: all that its account sees. */
  @ApiProperty({ type: 'array', items: { type: 'string', format: 'uuid' }, nullable: true })
  dataset_ids!: string[] | null;

  /** Where events are sent. */
  @ApiProperty({ type: String, format: 'uri' })
  url!: string;

  /** Events that it is told of. */
  @ApiProperty({ enum: WEBHOOK_EVENTS, isArray: true })
  events!: WebhookEvent[];

  /** What it is for. */
  @ApiProperty({ type: String, nullable: true })
  description!: string | null;

  /** Whether it is on. */
  @ApiProperty({ type: Boolean })
  enabled!: boolean;

  /**
   * Why it is off: `requested` by PATCH; `gone`: its receiver answered 410; `failing`: no attempt succeeded for five days;
   * `account_left`: its account left the tenant; `permission_lost`: its account may not manage webhooks any more. Null: it is on.
   */
  @ApiProperty({ enum: DISABLED_REASONS, nullable: true, type: String })
  disabled_reason!: DisabledReason | null;

  /** Since when it is off; null: it is on. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  disabled_at!: string | null;

  /** Since when no attempt succeeded; null: the last one did, or there was none. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  failing_since!: string | null;

  /** Until when messages are signed with the former secret too; null: they are signed with one. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  former_secret_expires_at!: string | null;

  /** When it was made. */
  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  /** When it was changed last. */
  @ApiProperty({ type: String, format: 'date-time' })
  updated_at!: string;
}

/** A webhook with its secret. */
export class WebhookWithSecret extends Webhook {
  /**
   * `whsec_` and base64. Shown this once: keep it where messages are verified. An answer that is repeated for an `Idempotency-Key`
   * lacks it.
   */
  @ApiPropertyOptional({ type: String, example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })
  secret!: string;
}

/** A page of webhooks. */
export class WebhookPage {
  /** The webhooks of this page. */
  @ApiProperty({ type: [Webhook] })
  items!: Webhook[];

  /** How many there are in all. */
  @ApiProperty(COUNT)
  total!: number;

  /** Number of rows left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** Maximum number of rows of the page. */
  @ApiProperty(COUNT)
  limit!: number;
}
