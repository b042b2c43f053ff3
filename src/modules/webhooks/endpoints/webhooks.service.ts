import { Injectable } from '@nestjs/common';
import { isUuid, newId, type Page } from '#libs/common';
import { AuditLog, UnitOfWork, type TransactionContext } from '#libs/database';
import { validationFailed } from '#libs/http';
import { SecretsBox } from '#libs/secrets';
import type { RequestContext } from '#libs/tenancy';
import type {
  CreateWebhookRequest,
  ListWebhooksQuery,
  UpdateWebhookRequest,
  Webhook,
  WebhookWithSecret,
} from './webhook.dto.js';
import { TargetCheck } from '../target/target-check.service.js';
import type { WebhookEndpointEntity, WebhookId } from './webhook-endpoint.entity.js';
import { WebhookEndpointsRepository, type EndpointChange } from './webhook-endpoints.repository.js';
import { actsForCaller, callingAccount } from './webhook-ownership.js';
import { makeSecret, sealedFor } from './webhook-secret.js';
import { toWebhook } from './webhook-views.js';
import { webhookErrors } from '../webhooks.errors.js';

const MOST_WEBHOOKS = 50;
/** Time for which messages are also signed with the former secret. */
const BOTH_SECRETS_SECONDS = 24 * 3600;

/** Endpoints of a tenant. Every account that may manage webhooks sees all of them; each acts for the account that created it. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
    private readonly box: SecretsBox,
    private readonly targets: TargetCheck,
  ) {}

  /** Creates an endpoint; its secret is only in this answer. @throws 422, `webhooks.secrets_key_missing`, `webhooks.too_many` */
  async create(ctx: RequestContext, wanted: CreateWebhookRequest): Promise<WebhookWithSecret> {
    this.requireGoodUrl(wanted.url);
    this.requireSecretsKey();
    const id = newId<WebhookId>();
    const secret = makeSecret();
    const { accountId, datasetIds } = callingAccount(ctx);
    const enabled = wanted.enabled ?? true;
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      if ((await this.endpoints.count(inner)) >= MOST_WEBHOOKS) throw webhookErrors.too_many({ most: MOST_WEBHOOKS });
      await this.endpoints.insert(inner, {
        id,
        account_id: accountId,
        dataset_ids: datasetIds,
        url: wanted.url,
        events: [...new Set(wanted.events)],
        description: wanted.description ?? null,
        enabled,
        disabled_reason: enabled ? null : 'requested',
        disabled_at: enabled ? null : new Date(),
        secret: this.box.seal(secret, sealedFor(id)),
      });
      await this.note(inner, 'webhook.created', id, { host: hostOf(wanted.url), events: [...wanted.events], enabled });
      return { ...toWebhook(await this.require(inner, id)), secret };
    });
  }

  async list(ctx: RequestContext, query: ListWebhooksQuery): Promise<Page<Webhook> & { items: Webhook[] }> {
    const page = await this.endpoints.list(ctx, query);
    return { ...page, items: page.items.map(toWebhook) };
  }

  /** @throws `webhooks.not_found` */
  async get(ctx: RequestContext, id: string): Promise<Webhook> {
    return toWebhook(await this.require(ctx, id));
  }

  /** @throws `webhooks.not_found`, `webhooks.acts_for_another`, 422 */
  async update(ctx: RequestContext, id: string, change: UpdateWebhookRequest): Promise<Webhook> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const endpoint = await this.require(inner, id);
      const { url, events, description, enabled } = change;
      const switchesOn = enabled === true && !endpoint.enabled;
      if (url !== undefined || events !== undefined || switchesOn) requireOwn(inner, endpoint);
      if (url !== undefined) this.requireGoodUrl(url);
      await this.endpoints.update(inner, endpoint.id, {
        ...(url === undefined ? {} : { url }),
        ...(events === undefined ? {} : { events: [...new Set(events)] }),
        ...(description === undefined ? {} : { description }),
        ...switchOf(endpoint, enabled),
      });
      if (enabled === false) await this.endpoints.cancelPending(inner, endpoint.id);
      await this.note(inner, 'webhook.updated', endpoint.id, {
        fields: Object.entries(change).flatMap(([field, value]) => (value === undefined ? [] : [field])),
        ...(url === undefined ? {} : { host: hostOf(url) }),
      });
      return toWebhook(await this.require(inner, id));
    });
  }

  /** Deletes an endpoint with its log. @throws `webhooks.not_found` */
  async remove(ctx: RequestContext, id: string): Promise<void> {
    if (!isUuid(id)) throw webhookErrors.not_found({});
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      if (!(await this.endpoints.remove(inner, id))) throw webhookErrors.not_found({});
      await this.note(inner, 'webhook.deleted', id.toLowerCase(), {});
    });
  }

  /**
   * Creates a new secret; the present one also signs for another day. @throws `webhooks.not_found`, `webhooks.acts_for_another`,
   * `webhooks.secrets_key_missing`
   */
  async rotateSecret(ctx: RequestContext, id: string): Promise<WebhookWithSecret> {
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const endpoint = await this.requireOwned(inner, id);
      this.requireSecretsKey();
      const secret = makeSecret();
      await this.endpoints.rotate(
        inner,
        endpoint.id,
        this.box.seal(secret, sealedFor(endpoint.id)),
        BOTH_SECRETS_SECONDS,
      );
      await this.note(inner, 'webhook.secret_rotated', endpoint.id, {});
      return { ...toWebhook(await this.require(inner, id)), secret };
    });
  }

  /** The endpoint, whichever account created it. @throws `webhooks.not_found` */
  async require(ctx: RequestContext, id: string): Promise<WebhookEndpointEntity> {
    const endpoint = isUuid(id) ? await this.endpoints.find(ctx, id) : null;
    if (endpoint === null) throw webhookErrors.not_found({});
    return endpoint;
  }

  /** The endpoint that acts for the caller. @throws `webhooks.not_found`, `webhooks.acts_for_another` */
  async requireOwned(ctx: RequestContext, id: string): Promise<WebhookEndpointEntity> {
    const endpoint = await this.require(ctx, id);
    requireOwn(ctx, endpoint);
    return endpoint;
  }

  private requireGoodUrl(url: string): void {
    const problem = this.targets.findProblem(url);
    if (problem !== null) throw validationFailed([{ pointer: '/url', ...problem }]);
  }

  private requireSecretsKey(): void {
    if (!this.box.canSeal) throw webhookErrors.secrets_key_missing({});
  }

  private async note(
    ctx: TransactionContext,
    event: string,
    id: string,
    details: Readonly<Record<string, string | boolean | string[]>>,
  ): Promise<void> {
    await this.audit.append(ctx, { event, subject: `webhook:${id}`, details: { ...details } });
  }
}

function requireOwn(ctx: RequestContext, endpoint: WebhookEndpointEntity): void {
  if (!actsForCaller(ctx, endpoint)) throw webhookErrors.acts_for_another({});
}

/** Effect of a change of `enabled` on `disabled_reason`. */
function switchOf(endpoint: WebhookEndpointEntity, enabled: boolean | undefined): EndpointChange {
  if (enabled === undefined || enabled === endpoint.enabled) return {};
  return enabled
    ? { enabled, disabled_reason: null, disabled_at: null, failing_since: null }
    : { enabled, disabled_reason: 'requested', disabled_at: new Date() };
}

/** Paths and queries may contain tokens of the receiver, so the audit log stores only the host. */
function hostOf(url: string): string {
  return new URL(url).host;
}
