import { Injectable } from '@nestjs/common';
import { newId, type DatasetId, type Page } from '#libs/common';
import {
  columnsOf,
  result,
  SQL_NOW,
  statement,
  statementFamily,
  TenantRepository,
  UnitOfWork,
  type RowOf,
  type TransactionContext,
} from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { sightVariantsOf, type SqlCondition } from '../../datasets/index.js';
import type { ListDeliveriesQuery } from './webhook-delivery.dto.js';
import { WebhookDeliveryEntity, type AttemptRecord } from './webhook-delivery.entity.js';
import type { WebhookId } from './webhook-endpoint.entity.js';

/** An event to record for endpoints. */
export interface RecordedEvent {
  readonly eventId: string;
  readonly seq: string;
  readonly type: string;
  readonly lane: string;
  readonly datasetIds: readonly DatasetId[];
  readonly body: string;
}

/** Effect of an attempt on its delivery. */
export interface AttemptEnd {
  readonly status: 'pending' | 'delivered' | 'failed';
  readonly errorCode: string | null;
  readonly record: AttemptRecord;
  /** Seconds until the next attempt; null: there is none. */
  readonly retrySeconds: number | null;
}

/** Maximum number of attempts of a delivery in the log. */
const ATTEMPTS_KEPT = 20;
/** Maximum number of ended deliveries in the log of an endpoint, whatever their age. */
const MOST_OF_ENDPOINT = 10_000;

const SHOWN = columnsOf(
  WebhookDeliveryEntity,
  'id',
  'event_id',
  'event_type',
  'status',
  'attempt_count',
  'attempts',
  'error_code',
  'next_attempt_at',
  'body',
  'created_at',
  'ended_at',
);
export type DeliveryRow = RowOf<typeof SHOWN>;
const SHOWN_COLUMNS =
  'id, event_id, event_type, status, attempt_count, attempts, error_code, next_attempt_at, body, created_at, ended_at';

/** The deliveries of an endpoint whose datasets a principal sees, including those of removed datasets. */
function visibleDeliveries(columns: string, unseen: string): string {
  return `SELECT ${columns} FROM webhook_deliveries v WHERE v.endpoint_id = $1
    AND NOT EXISTS (SELECT FROM datasets d WHERE d.id = ANY (v.dataset_ids) AND NOT ${unseen})`;
}
const FROM_SIGHT = 7;
const FILTERS = `AND ($2::text IS NULL OR v.status = $2) AND ($3::text IS NULL OR v.event_type = $3)
  AND ($6::uuid IS NULL OR v.id = $6)`;
const SIGHTS = sightVariantsOf('d', FROM_SIGHT).map((sight) => [sight] as const);
const LIST = statementFamily(
  SHOWN,
  (sight: string) =>
    `${visibleDeliveries(SHOWN_COLUMNS, sight)} ${FILTERS} ORDER BY v.created_at DESC, v.id DESC LIMIT $4::int OFFSET $5::int`,
  SIGHTS,
);
const COUNT = statementFamily(
  { total: result.integer },
  (sight: string) =>
    `SELECT count(*)::int AS total FROM (${visibleDeliveries('v.id', sight)} ${FILTERS} LIMIT $4::int OFFSET $5::int) AS listed`,
  SIGHTS,
);
const INSERT = statement(
  columnsOf(WebhookDeliveryEntity, 'id', 'endpoint_id'),
  `INSERT INTO webhook_deliveries (id, tenant_id, endpoint_id, event_id, seq, event_type, lane, dataset_ids, body, status, next_attempt_at)
   SELECT d.id, $1, d.endpoint_id, $2, $3, $4, $5, $6, $7, 'pending', now() FROM unnest($8::uuid[], $9::uuid[]) AS d(id, endpoint_id)
   ON CONFLICT (endpoint_id, event_id) DO NOTHING RETURNING id, endpoint_id`,
);
const HEAD = {
  ...columnsOf(WebhookDeliveryEntity, 'id', 'event_type', 'dataset_ids', 'body', 'tries', 'claimed_by'),
  is_claimed: result.boolean,
  wait_ms: result.float,
};
export type LaneHead = RowOf<typeof HEAD>;
const FIND_HEAD = statement(
  HEAD,
  `SELECT id, event_type, dataset_ids, body, tries, claimed_by, coalesce(claimed_until > ${SQL_NOW}, false) AS is_claimed,
     coalesce(greatest(0, extract(epoch FROM next_attempt_at - ${SQL_NOW}) * 1000), 0)::float8 AS wait_ms
   FROM webhook_deliveries WHERE endpoint_id = $1 AND lane = $2 AND status = 'pending' ORDER BY seq, id LIMIT 1 FOR UPDATE`,
);
const CLAIM = statement(
  {},
  `UPDATE webhook_deliveries SET claimed_by = $2,
     claimed_until = CASE WHEN $3::float8 > 0 THEN now() + make_interval(secs => $3::float8) END WHERE id = $1`,
);
const RECORD = statement(
  columnsOf(WebhookDeliveryEntity, 'id'),
  `UPDATE webhook_deliveries SET status = $3, error_code = $4, tries = tries + 1, attempt_count = attempt_count + 1,
     attempts = CASE WHEN jsonb_array_length(attempts) >= ${ATTEMPTS_KEPT} THEN attempts - 0 ELSE attempts END || $5::jsonb,
     claimed_until = NULL, next_attempt_at = now() + make_interval(secs => $6::float8),
     ended_at = CASE WHEN $3 <> 'pending' THEN now() END
   WHERE id = $1 AND claimed_by = $2 AND status = 'pending' RETURNING id`,
);
const CANCEL = statement(
  {},
  `UPDATE webhook_deliveries SET status = 'cancelled', error_code = $2, ended_at = now(), next_attempt_at = NULL, claimed_by = NULL,
     claimed_until = NULL WHERE id = $1`,
);
const RESTART = statement(
  columnsOf(WebhookDeliveryEntity, 'id', 'lane'),
  `UPDATE webhook_deliveries SET status = 'pending', tries = 0, error_code = NULL, next_attempt_at = now(), ended_at = NULL,
     claimed_by = NULL, claimed_until = NULL
   WHERE id = $1 AND endpoint_id = $2 AND NOT (status = 'pending' AND coalesce(claimed_until > ${SQL_NOW}, false)) RETURNING id, lane`,
);

const REMOVED = columnsOf(WebhookDeliveryEntity, 'id');
const REMOVE_OLD = statement(
  REMOVED,
  `DELETE FROM webhook_deliveries WHERE id IN (
     SELECT id FROM webhook_deliveries WHERE ended_at < now() - make_interval(days => $1) ORDER BY ended_at LIMIT $2)
   RETURNING id`,
);
const REMOVE_BEYOND = statement(
  REMOVED,
  `DELETE FROM webhook_deliveries WHERE id IN (
     SELECT v.id FROM webhook_endpoints e CROSS JOIN LATERAL (
       SELECT id FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.ended_at IS NOT NULL
       ORDER BY d.created_at DESC, d.id DESC OFFSET $1::int LIMIT $2::int) v LIMIT $2::int)
   RETURNING id`,
);
const LIST_FORGOTTEN = statement(
  columnsOf(WebhookDeliveryEntity, 'endpoint_id', 'lane'),
  `SELECT DISTINCT endpoint_id, lane FROM webhook_deliveries
   WHERE status = 'pending' AND next_attempt_at < now() - interval '15 minutes' LIMIT $1`,
);

/** Rows of `webhook_deliveries`. */
@Injectable()
export class WebhookDeliveriesRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** A page of the log of an endpoint, newest first, limited to datasets that the caller sees. */
  async list(
    ctx: RequestContext,
    endpointId: WebhookId,
    { status, event, skip, limit }: ListDeliveriesQuery,
    sightFrom: (from: number) => SqlCondition,
  ): Promise<Page<DeliveryRow>> {
    const sight = sightFrom(FROM_SIGHT);
    const filters = [endpointId, status ?? null, event ?? null];
    const items = await this.query(ctx, LIST.of(sight.sql), [...filters, limit, skip, null, ...sight.parameters]);
    const [counted] = await this.query(ctx, COUNT.of(sight.sql), [...filters, null, 0, null, ...sight.parameters]);
    return { items, total: counted?.total ?? 0, skip, limit };
  }

  /** One of them. */
  async find(
    ctx: RequestContext,
    endpointId: WebhookId,
    id: string,
    sightFrom: (from: number) => SqlCondition,
  ): Promise<DeliveryRow | undefined> {
    const sight = sightFrom(FROM_SIGHT);
    return this.queryOne(ctx, LIST.of(sight.sql), [endpointId, null, null, 1, 0, id, ...sight.parameters]);
  }

  /** Records an event for endpoints that do not have it yet. Resolves to the new deliveries. */
  insert(ctx: TransactionContext, event: RecordedEvent, endpointIds: readonly WebhookId[]) {
    return this.query(ctx, INSERT, [
      ctx.tenantId,
      event.eventId,
      event.seq,
      event.type,
      event.lane,
      event.datasetIds,
      event.body,
      endpointIds.map(() => newId()),
      endpointIds,
    ]);
  }

  /** The first delivery of a lane that has not ended, locked until the transaction ends. */
  findHead(ctx: TransactionContext, endpointId: WebhookId, lane: string): Promise<LaneHead | undefined> {
    return this.queryOne(ctx, FIND_HEAD, [endpointId, lane]);
  }

  /** Claims the delivery for a task for this number of seconds; with 0 the task only waits until the delivery is due. */
  async claim(ctx: TransactionContext, id: string, taskId: string, seconds: number): Promise<void> {
    await this.query(ctx, CLAIM, [id, taskId, seconds]);
  }

  /** Records the outcome of an attempt. False when the task no longer has the claim. */
  async record(ctx: TransactionContext, id: string, taskId: string, end: AttemptEnd): Promise<boolean> {
    const { status, errorCode, record, retrySeconds } = end;
    const rows = await this.query(ctx, RECORD, [id, taskId, status, errorCode, JSON.stringify([record]), retrySeconds]);
    return rows.length > 0;
  }

  /** Ends a delivery without sending it. */
  async cancel(ctx: TransactionContext, id: string, errorCode: string): Promise<void> {
    await this.query(ctx, CANCEL, [id, errorCode]);
  }

  /** Schedules a delivery again from the beginning of the schedule. Undefined when it is being sent at this moment. */
  restart(ctx: TransactionContext, endpointId: WebhookId, id: string) {
    return this.queryOne(ctx, RESTART, [id, endpointId]);
  }

  /**
   * Removes deliveries that ended more than `keptDays` ago, and surplus deliveries of each endpoint, at most `limit` of each; resolves to
   * their number.
   */
  async removeEnded(ctx: RequestContext, keptDays: number, limit: number): Promise<number> {
    const old = await this.query(ctx, REMOVE_OLD, [keptDays, limit]);
    const beyond = await this.query(ctx, REMOVE_BEYOND, [MOST_OF_ENDPOINT, limit]);
    return old.length + beyond.length;
  }

  /** Lanes with a delivery that is long overdue. */
  async listForgotten(
    ctx: RequestContext,
    limit: number,
  ): Promise<Pick<WebhookDeliveryEntity, 'endpoint_id' | 'lane'>[]> {
    return this.query(ctx, LIST_FORGOTTEN, [limit]);
  }
}
