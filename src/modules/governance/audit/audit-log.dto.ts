import { ApiExtraModels, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsRFC3339, Matches } from 'class-validator';
import { BREAK_REASONS, type BreakReason } from '#libs/database';
import { ListQueryDto } from '#libs/http';

export const AUDIT_LOG_ORDERS = ['created_at', '-created_at'] as const;
export type AuditLogOrder = (typeof AUDIT_LOG_ORDERS)[number];

export const AUDIT_LOG_FORMATS = ['json', 'jsonl'] as const;
export type AuditLogFormat = (typeof AUDIT_LOG_FORMATS)[number];

const ACTOR_TYPES = ['account', 'api_key', 'system'] as const;
export type ActorType = (typeof ACTOR_TYPES)[number];

const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const ACTION = '^[a-z][a-z0-9_]{0,62}(?:\\.[a-z][a-z0-9_]{0,62}){1,3}$';
const ACTOR = `^(?:system|(?:(?:account|api_key):)?${UUID})$`;
const TYPE = '^[a-z][a-z0-9_]{0,62}$';
const WORD = '^[A-Za-z0-9._-]{1,128}$';
const HASH = { type: String, pattern: '^[0-9a-f]{64}$' } as const;
const COUNT = { type: 'integer', minimum: 0 } as const;

/** Which entries of the audit log, in which order and form. */
export class AuditLogQuery extends ListQueryDto {
  /**
   * Only entries of this time or later (RFC 3339).
   * @example "2026-11-01T00:00:00Z"
   */
  @ApiPropertyOptional({ type: String, format: 'date-time' })
  @IsOptional()
  @IsRFC3339()
  from?: string;

  /** Only entries before this time (RFC 3339). */
  @ApiPropertyOptional({ type: String, format: 'date-time' })
  @IsOptional()
  @IsRFC3339()
  to?: string;

  /**
   * Only entries of this action.
   * @example "dataset.deleted"
   */
  @ApiPropertyOptional({ type: String, pattern: ACTION })
  @IsOptional()
  @Matches(new RegExp(ACTION, 'u'), { message: 'action must be the name of an action, as in "dataset.deleted"' })
  action?: string;

  /** Only what this actor did: `account:<id>`, `api_key:<id>`, the id alone, or `system` for the service itself. */
  @ApiPropertyOptional({ type: String, pattern: ACTOR })
  @IsOptional()
  @Matches(new RegExp(ACTOR, 'u'), { message: 'actor must be account:<id>, api_key:<id>, an id, or system' })
  actor?: string;

  /**
   * Only entries about things of this type; `document` also finds entries about a dataset that name documents.
   * @example "dataset"
   */
  @ApiPropertyOptional({ type: String, pattern: TYPE })
  @IsOptional()
  @Matches(new RegExp(TYPE, 'u'), { message: 'subject_type must be a lower-case word, as in "dataset"' })
  subject_type?: string;

  /** Only entries about the thing with this id. */
  @ApiPropertyOptional({ type: String, pattern: WORD })
  @IsOptional()
  @Matches(new RegExp(WORD, 'u'), { message: 'subject_id must be an id' })
  subject_id?: string;

  /** Only entries of the request with this id. */
  @ApiPropertyOptional({ type: String, pattern: WORD })
  @IsOptional()
  @Matches(new RegExp(WORD, 'u'), { message: 'request_id must match [A-Za-z0-9._-]{1,128}' })
  request_id?: string;

  /** Order of the entries, which is that of their numbers; a minus sign means the latest first. */
  @ApiPropertyOptional({ enum: AUDIT_LOG_ORDERS, default: '-created_at' })
  @IsOptional()
  @IsIn(AUDIT_LOG_ORDERS)
  order_by: AuditLogOrder = '-created_at';

  /** `json`: a page. `jsonl`: all that match, an entry in each line, the first one first. Left out: as `Accept` says. */
  @ApiPropertyOptional({ enum: AUDIT_LOG_FORMATS })
  @IsOptional()
  @IsIn(AUDIT_LOG_FORMATS)
  format?: AuditLogFormat;
}

/** Who acted. */
export class AuditActor {
  /** What kind of actor. */
  @ApiProperty({ enum: ACTOR_TYPES })
  type!: ActorType;

  /** Its id; null for the service itself. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  id!: string | null;
}

/** What an action was about. */
export class AuditSubject {
  /**
   * What kind of thing.
   * @example "dataset"
   */
  @ApiProperty({ type: String })
  type!: string;

  /** Its id. */
  @ApiProperty({ type: String })
  id!: string;
}

/** An entry of the audit log. */
export class AuditLogEntry {
  /** Its number in the tenant's chain, from 1. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  id!: number;

  /**
   * What was done.
   * @example "dataset.deleted"
   */
  @ApiProperty({ type: String })
  action!: string;

  /** Who did it. */
  @ApiProperty({ type: () => AuditActor })
  actor!: AuditActor;

  /** What it was about; null: the tenant as a whole. */
  @ApiProperty({ type: () => AuditSubject, nullable: true })
  subject!: AuditSubject | null;

  /** The request that did it, as its caller named it. */
  @ApiProperty({ type: String })
  request_id!: string;

  /** More about it: ids, numbers, states before and after. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  details!: Record<string, unknown>;

  /** Whether texts are left out of `details`, because the caller does not see the dataset. */
  @ApiProperty({ type: Boolean })
  details_withheld!: boolean;

  /** When. */
  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  /** Hash of the entry before; 64 zeros for the first one. */
  @ApiProperty(HASH)
  previous_hash!: string;

  /** SHA-256 of `previous_hash` and the entry. */
  @ApiProperty(HASH)
  hash!: string;
}

/** A page of the audit log. */
export class AuditLogPage {
  /** The entries of this page. */
  @ApiProperty({ type: [AuditLogEntry] })
  items!: AuditLogEntry[];

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

/** The end of a chain. */
export class AuditChainHead {
  /** Number of the last entry. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  id!: number;

  /** Its hash. */
  @ApiProperty(HASH)
  hash!: string;
}

/** The first entry that is not as it was written. */
export class AuditChainBreak {
  /** Its number. */
  @ApiProperty({ type: 'integer' })
  id!: number;

  /**
   * `changed`: it was changed. `missing`: it was removed. `not_linked`: it does not continue the entry before, as after a swap.
   * `unexpected`: it was put in. `not_as_anchored`: the chain was written anew since an anchor was made.
   */
  @ApiProperty({ enum: BREAK_REASONS })
  reason!: BreakReason;

  /** The same in words. */
  @ApiProperty({ type: String })
  detail!: string;
}

/** Whether the audit log of the tenant is as it was written. */
@ApiExtraModels(AuditChainHead, AuditChainBreak)
export class AuditLogVerification {
  /** Whether it is. */
  @ApiProperty({ type: Boolean })
  valid!: boolean;

  /** How many entries were read. */
  @ApiProperty(COUNT)
  entries!: number;

  /** How many anchors it was compared with; null: none are kept (`AUDIT_ANCHORS`). */
  @ApiProperty({ ...COUNT, nullable: true })
  anchors!: number | null;

  /** Its end; null: it is empty. */
  @ApiProperty({ type: () => AuditChainHead, nullable: true })
  head!: AuditChainHead | null;

  /** The first entry that is not as it was written; null: there is none. */
  @ApiProperty({ type: () => AuditChainBreak, nullable: true })
  first_broken!: AuditChainBreak | null;
}
