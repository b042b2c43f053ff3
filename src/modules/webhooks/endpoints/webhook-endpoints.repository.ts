import { Injectable } from '@nestjs/common';
import { Batcher, type Page } from '#libs/common';
import { columnsOf, result, statement, TenantRepository, UnitOfWork, type TransactionContext } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import type { ListWebhooksQuery } from './webhook.dto.js';
import { WebhookEndpointEntity, type DisabledReason, type WebhookId } from './webhook-endpoint.entity.js';
import { WebhookDeliveryEntity } from './webhook-delivery.entity.js';

/** Fields that a caller may set. */
export type EndpointChange = Partial<
  Pick<
    WebhookEndpointEntity,
    'url' | 'events' | 'description' | 'enabled' | 'disabled_reason' | 'disabled_at' | 'failing_since'
  >
>;
export type EndpointSecrets = Pick<WebhookEndpointEntity, 'id' | 'secret' | 'former_secret' | 'former_secret_until'>;
export type NewEndpoint = Omit<
  WebhookEndpointEntity,
  'tenant_id' | 'failing_since' | 'former_secret' | 'former_secret_until' | 'created_at' | 'updated_at'
>;
/** An endpoint with its account and its datasets, which determine the events that it gets. */
export type SubscribedEndpoint = Pick<WebhookEndpointEntity, 'id' | 'account_id' | 'dataset_ids'>;

interface SubscribedLookup {
  readonly ctx: RequestContext;
  readonly eventType: string;
}

const ID = columnsOf(WebhookEndpointEntity, 'id');
const FIND_SUBSCRIBED = statement(
  columnsOf(WebhookEndpointEntity, 'id', 'account_id', 'dataset_ids'),
  `SELECT id, account_id, dataset_ids FROM webhook_endpoints WHERE enabled AND $1 = ANY (events) ORDER BY created_at, id`,
);
const ROTATE = statement(
  ID,
  `UPDATE webhook_endpoints SET former_secret = secret, former_secret_until = now() + make_interval(secs => $3), secret = $2,
     updated_at = now() WHERE id = $1 RETURNING id`,
);
const LOCK_SECRETS = statement(
  columnsOf(WebhookEndpointEntity, 'id', 'secret', 'former_secret', 'former_secret_until'),
  `SELECT id, secret, former_secret, former_secret_until FROM webhook_endpoints WHERE $1::uuid IS NULL OR id > $1::uuid
   ORDER BY id LIMIT $2 FOR UPDATE`,
);
const PUT_SECRETS = statement({}, `UPDATE webhook_endpoints SET secret = $2, former_secret = $3 WHERE id = $1`);
const NOTE_SUCCESS = statement(
  {},
  `UPDATE webhook_endpoints SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL`,
);
const NOTE_FAILURE = statement(
  { is_lost: result.boolean },
  `UPDATE webhook_endpoints SET failing_since = coalesce(failing_since, now()) WHERE id = $1
   RETURNING failing_since <= now() - make_interval(secs => $2) AS is_lost`,
);
const DISABLE = statement(
  ID,
  `UPDATE webhook_endpoints SET enabled = false, disabled_reason = $2, disabled_at = now(), updated_at = now()
   WHERE id = $1 AND enabled RETURNING id`,
);
const CANCEL_PENDING = statement(
  columnsOf(WebhookDeliveryEntity, 'id'),
  `UPDATE webhook_deliveries SET status = 'cancelled', error_code = 'WEBHOOK_DISABLED', ended_at = now(), next_attempt_at = NULL,
     claimed_by = NULL, claimed_until = NULL
   WHERE endpoint_id = $1 AND status = 'pending' AND event_type <> 'webhook.test' RETURNING id`,
);

/** Rows of `webhook_endpoints`. */
@Injectable()
export class WebhookEndpointsRepository extends TenantRepository {
  /** Combines the queries for events of one tenant and type that are recorded at the same time. */
  private readonly subscribed = new Batcher<SubscribedLookup, readonly SubscribedEndpoint[]>(async (lookups) => {
    const { ctx, eventType } = lookups[0]!;
    const found = await this.query(ctx, FIND_SUBSCRIBED, [eventType]);
    return lookups.map(() => found);
  });

  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  find(ctx: RequestContext, id: string): Promise<WebhookEndpointEntity | null> {
    return this.withRepository(ctx, WebhookEndpointEntity, (rows) => rows.findOneBy({ id: id as WebhookId }));
  }

  list(ctx: RequestContext, { skip, limit, order_by }: ListWebhooksQuery): Promise<Page<WebhookEndpointEntity>> {
    const direction = order_by === 'created_at' ? 'ASC' : 'DESC';
    return this.withRepository(ctx, WebhookEndpointEntity, async (rows) => {
      const order = { created_at: direction, id: direction } as const;
      const [items, total] = await rows.findAndCount({ order, skip, take: limit });
      return { items, total, skip, limit };
    });
  }

  count(ctx: RequestContext): Promise<number> {
    return this.withRepository(ctx, WebhookEndpointEntity, (rows) => rows.count());
  }

  async insert(ctx: TransactionContext, endpoint: NewEndpoint): Promise<void> {
    const { dataset_ids: ids, events, ...rest } = endpoint;
    const row = { ...rest, events: [...events], dataset_ids: ids === null ? null : [...ids], tenant_id: ctx.tenantId };
    await this.repository(ctx, WebhookEndpointEntity).insert(row);
  }

  async update(ctx: TransactionContext, id: WebhookId, change: EndpointChange): Promise<void> {
    const { events, ...rest } = change;
    const row = { ...rest, ...(events === undefined ? {} : { events: [...events] }), updated_at: () => 'now()' };
    await this.repository(ctx, WebhookEndpointEntity).update({ id }, row);
  }

  async rotate(ctx: TransactionContext, id: WebhookId, sealed: string, bothSeconds: number): Promise<void> {
    await this.query(ctx, ROTATE, [id, sealed, bothSeconds]);
  }

  /** The encrypted secrets of the next endpoints after `after`, by id, locked until the transaction ends. */
  lockSecrets(ctx: TransactionContext, after: WebhookId | null, limit: number): Promise<EndpointSecrets[]> {
    return this.query(ctx, LOCK_SECRETS, [after, limit]);
  }

  /** Replaces the encrypted form of the secrets. */
  async putSecrets(ctx: TransactionContext, id: WebhookId, secret: string, former: string | null): Promise<void> {
    await this.query(ctx, PUT_SECRETS, [id, secret, former]);
  }

  /** Deletes an endpoint with its deliveries; false when there was none. */
  async remove(ctx: TransactionContext, id: string): Promise<boolean> {
    const { affected } = await this.repository(ctx, WebhookEndpointEntity).delete({ id: id as WebhookId });
    return affected === 1;
  }

  /** Enabled endpoints that subscribe to this kind of event. Read after the call, in a separate transaction. */
  async listSubscribed(ctx: RequestContext, eventType: string): Promise<readonly SubscribedEndpoint[]> {
    const { tx: _, ...own } = ctx;
    return this.subscribed.submit(`${ctx.tenantId} ${eventType}`, { ctx: own, eventType });
  }

  async noteSuccess(ctx: TransactionContext, id: WebhookId): Promise<void> {
    await this.query(ctx, NOTE_SUCCESS, [id]);
  }

  /** Whether no attempt has succeeded for this number of seconds. */
  async noteFailure(ctx: TransactionContext, id: WebhookId, mostSeconds: number): Promise<boolean> {
    return (await this.queryOne(ctx, NOTE_FAILURE, [id, mostSeconds]))?.is_lost ?? false;
  }

  /** Disables an endpoint. False when it was already disabled or does not exist. */
  async disable(ctx: TransactionContext, id: WebhookId, reason: DisabledReason): Promise<boolean> {
    return (await this.query(ctx, DISABLE, [id, reason])).length > 0;
  }

  /** Cancels all unsent deliveries of a disabled endpoint. */
  async cancelPending(ctx: TransactionContext, id: WebhookId): Promise<number> {
    return (await this.query(ctx, CANCEL_PENDING, [id])).length;
  }
}
