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
   * Only entries with this action.
   * @example "dataset.deleted"
   */
  @ApiPropertyOptional({ type: String, pattern: ACTION })
  @IsOptional()
  @Matches(new RegExp(ACTION, 'u'), { message: 'action must be the name of an action, as in "dataset.deleted"' })
  action?: string;

  /** Only entries of this actor: `account:<id>`, `api_key:<id>`, only the identifier, or `system` for the service itself. */
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

  /** Only entries about the thing with this identifier. */
  @ApiPropertyOptional({ type: String, pattern: WORD })
  @IsOptional()
  @Matches(new RegExp(WORD, 'u'), { message: 'subject_id must be an id' })
  subject_id?: string;

  /** Only entries of the request with this identifier. */
  @ApiPropertyOptional({ type: String, pattern: WORD })
  @IsOptional()
  @Matches(new RegExp(WORD, 'u'), { message: 'request_id must match [A-Za-z0-9._-]{1,128}' })
  request_id?: string;

  /** Order of the entries, by their numbers; a minus sign means the latest first. */
  @ApiPropertyOptional({ enum: AUDIT_LOG_ORDERS, default: '-created_at' })
  @IsOptional()
  @IsIn(AUDIT_LOG_ORDERS)
  order_by: AuditLogOrder = '-created_at';

  /** `json`: a page of entries. `jsonl`: all entries that match, one per line, the first one first. Left out: as `Accept` asks. */
  @ApiPropertyOptional({ enum: AUDIT_LOG_FORMATS })
  @IsOptional()
  @IsIn(AUDIT_LOG_FORMATS)
  format?: AuditLogFormat;
}

/** Who acted. */
export class AuditActor {
  /** Kind of actor. */
  @ApiProperty({ enum: ACTOR_TYPES })
  type!: ActorType;

  /** Identifier of the account or API key; null: the service itself. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  id!: string | null;
}

/** What an action was about. */
export class AuditSubject {
  /**
   * Kind of thing.
   * @example "dataset"
   */
  @ApiProperty({ type: String })
  type!: string;

  /** Identifier of the thing. */
  @ApiProperty({ type: String })
  id!: string;
}

/** An entry of the audit log. */
export class AuditLogEntry {
  /** Number of the entry in the tenant's chain, from 1. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  id!: number;

  /**
   * Name of the action.
   * @example "dataset.deleted"
   */
  @ApiProperty({ type: String })
  action!: string;

  /** Account, API key or service that acted. */
  @ApiProperty({ type: () => AuditActor })
  actor!: AuditActor;

  /** Thing that the action was about; null: the tenant as a whole. */
  @ApiProperty({ type: () => AuditSubject, nullable: true })
  subject!: AuditSubject | null;

  /** Identifier of the request that caused the action. */
  @ApiProperty({ type: String })
  request_id!: string;

  /** Details of the action: identifiers, numbers, states before and after. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  details!: Record<string, unknown>;

  /** Whether texts were removed from `details` because the caller does not see the dataset. */
  @ApiProperty({ type: Boolean })
  details_withheld!: boolean;

  /** Time of the action. */
  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  /** Hash of the previous entry; 64 zeros in the first one. */
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

  /** Total number of entries that match. */
  @ApiProperty(COUNT)
  total!: number;

  /** Number of rows left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** Maximum number of rows in a page. */
  @ApiProperty(COUNT)
  limit!: number;
}

/** The end of a chain. */
export class AuditChainHead {
  /** Number of the last entry. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  id!: number;

  /** Hash of the last entry. */
  @ApiProperty(HASH)
  hash!: string;
}

/** The first entry that is not as it was written. */
export class AuditChainBreak {
  /** Number of the entry. */
  @ApiProperty({ type: 'integer' })
  id!: number;

  /**
   * What is wrong. `changed`: the entry was changed. `missing`: the entry was removed. `not_linked`: the entry does not continue the previous
   * one, for instance after a swap. `unexpected`: the entry was inserted. `not_as_anchored`: the chain was rewritten after an anchor was made.
   */
  @ApiProperty({ enum: BREAK_REASONS })
  reason!: BreakReason;

  /** Explanation of `reason` in a sentence. */
  @ApiProperty({ type: String })
  detail!: string;
}

/** Whether the audit log of the tenant is as it was written. */
@ApiExtraModels(AuditChainHead, AuditChainBreak)
export class AuditLogVerification {
  /** Whether all entries are as they were written. */
  @ApiProperty({ type: Boolean })
  valid!: boolean;

  /** Number of entries that were read. */
  @ApiProperty(COUNT)
  entries!: number;

  /** Number of anchors that the chain was compared with; null: no anchors are kept (`AUDIT_ANCHORS`). */
  @ApiProperty({ ...COUNT, nullable: true })
  anchors!: number | null;

  /** End of the chain; null: the audit log is empty. */
  @ApiProperty({ type: () => AuditChainHead, nullable: true })
  head!: AuditChainHead | null;

  /** First entry that is not as it was written; null: there is none. */
  @ApiProperty({ type: () => AuditChainBreak, nullable: true })
  first_broken!: AuditChainBreak | null;
}
