import { ApiExtraModels } from '@nestjs/swagger';
import { BREAK_REASONS, type BreakReason } from '#libs/database';
import { Answer, Choice, Instant, ListQueryDto, PageOf, TextOf } from '#libs/http';

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

/** Filters, order and format of audit log entries. */
export class AuditLogQuery extends ListQueryDto {
  /**
   * Only entries at or after this time (RFC 3339).
   * @example "2026-11-01T00:00:00Z"
   */
  @Instant({ query: true })
  from?: string;

  /** Only entries before this time (RFC 3339). */
  @Instant({ query: true })
  to?: string;

  /**
   * Only entries with this action.
   * @example "dataset.deleted"
   */
  @TextOf(ACTION, '$property must be the name of an action, as in "dataset.deleted"', { query: true })
  action?: string;

  /** Only entries of this actor: `account:<id>`, `api_key:<id>`, only the identifier, or `system` for the service itself. */
  @TextOf(ACTOR, '$property must be account:<id>, api_key:<id>, an id, or system', { query: true })
  actor?: string;

  /**
   * Only entries about things of this type; `document` also finds entries about a dataset that name documents.
   * @example "dataset"
   */
  @TextOf(TYPE, '$property must be a lower-case word, as in "dataset"', { query: true })
  subject_type?: string;

  /** Only entries about the thing with this identifier. */
  @TextOf(WORD, '$property must be an id', { query: true })
  subject_id?: string;

  /** Only entries of the request with this identifier. */
  @TextOf(WORD, '$property must match [A-Za-z0-9._-]{1,128}', { query: true })
  request_id?: string;

  /** Order of the entries by their number; a minus sign means the latest first. */
  @Choice(AUDIT_LOG_ORDERS, { query: true, default: '-created_at' })
  order_by: AuditLogOrder = '-created_at';

  /** `json`: a page of entries. `jsonl`: all entries that match, one per line, the first one first. If left out, `Accept` decides. */
  @Choice(AUDIT_LOG_FORMATS, { query: true })
  format?: AuditLogFormat;
}

/** Who acted. */
export class AuditActor {
  /** Kind of actor. */
  @Answer.Choice(ACTOR_TYPES)
  type!: ActorType;

  /** Identifier of the account or API key; null: the service itself. */
  @Answer.Uuid({ nullable: true })
  id!: string | null;
}

/** What an action was about. */
export class AuditSubject {
  /**
   * Kind of thing.
   * @example "dataset"
   */
  @Answer.Text()
  type!: string;

  /** Identifier of the thing. */
  @Answer.Text()
  id!: string;
}

/** An entry of the audit log. */
export class AuditLogEntry {
  /** Number of the entry in the tenant's chain, from 1. */
  @Answer.Integer({ min: 1 })
  id!: number;

  /**
   * Name of the action.
   * @example "dataset.deleted"
   */
  @Answer.Text()
  action!: string;

  /** Account, API key or service that acted. */
  @Answer.Nested(() => AuditActor)
  actor!: AuditActor;

  /** Thing that the action was about; null: the tenant as a whole. */
  @Answer.Nested(() => AuditSubject, { nullable: true })
  subject!: AuditSubject | null;

  /** Identifier of the request that caused the action. */
  @Answer.Text()
  request_id!: string;

  /** Details of the action: identifiers, numbers, states before and after. */
  @Answer.Json()
  details!: Record<string, unknown>;

  /** Whether texts were removed from `details` because the caller does not see the dataset. */
  @Answer.Flag()
  details_withheld!: boolean;

  /** Time of the action. */
  @Answer.Instant()
  created_at!: string;

  /** Hash of the previous entry; 64 zeros in the first one. */
  @Answer.Sha256()
  previous_hash!: string;

  /** SHA-256 of `previous_hash` and the entry. */
  @Answer.Sha256()
  hash!: string;
}

/** A page of the audit log. */
export class AuditLogPage extends PageOf(AuditLogEntry, {
  items: 'The entries of this page.',
  total: 'Total number of entries that match.',
}) {}

/** The last entry of a chain. */
export class AuditChainHead {
  /** Number of the last entry. */
  @Answer.Integer({ min: 1 })
  id!: number;

  /** Hash of the last entry. */
  @Answer.Sha256()
  hash!: string;
}

/** The first place at which the chain is broken. */
export class AuditChainBreak {
  /** Number of the entry. */
  @Answer.Integer()
  id!: number;

  /**
   * What is wrong. `changed`: the entry was changed. `missing`: the entry was removed. `not_linked`: the entry does not continue the previous
   * one, for instance after a swap. `unexpected`: the entry was inserted. `not_as_anchored`: the chain was rewritten after an anchor was made.
   */
  @Answer.Choice(BREAK_REASONS)
  reason!: BreakReason;

  /** Explanation of `reason` in one sentence. */
  @Answer.Text()
  detail!: string;
}

/** Result of a verification of the tenant's audit log. */
@ApiExtraModels(AuditChainHead, AuditChainBreak)
export class AuditLogVerification {
  /** Whether the chain is intact: no entry was changed, removed, moved or inserted. */
  @Answer.Flag()
  valid!: boolean;

  /** Number of entries that were read. */
  @Answer.Count()
  entries!: number;

  /** Number of anchors that the chain was compared with; null: no anchors are kept (`AUDIT_ANCHORS`). */
  @Answer.Count({ nullable: true })
  anchors!: number | null;

  /** Last entry of the chain; null: the audit log is empty. */
  @Answer.Nested(() => AuditChainHead, { nullable: true })
  head!: AuditChainHead | null;

  /** First place at which the chain is broken; null: there is none. */
  @Answer.Nested(() => AuditChainBreak, { nullable: true })
  first_broken!: AuditChainBreak | null;
}
