import { randomBytes } from 'node:crypto';
import type { PinoLogger } from 'nestjs-pino';
import { newId, type AccountId, type DatasetId, type JsonObject } from '#libs/common';
import type { SettingsValues } from '#libs/config';
import { AuditLog, rowsOf } from '#libs/database';
import type { DomainEvent } from '#libs/events';
import { Metrics } from '#libs/metrics';
import { loadSecretsKeys, SecretsBox } from '#libs/secrets';
import { TaskPostponed } from '#libs/tasks';
import { PresentPrincipals, ROLE_PERMISSIONS, type Principal, type RequestContext, type Role } from '#libs/tenancy';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { runningTask, tasksOver, wakeDueTasks } from '../../../../libs/tasks/src/testing/tasks-over.js';
import { DatasetAccess } from '../../datasets/index.js';
import { DeliveryAttempts } from '../delivery/delivery-attempts.service.js';
import { DeliveryRules } from '../delivery/delivery-rules.js';
import { EndpointStanding } from '../delivery/endpoint-standing.service.js';
import { EndpointSwitch } from '../delivery/endpoint-switch.service.js';
import { EventRecorder } from '../delivery/event-recorder.service.js';
import { WebhookDeliveryRun } from '../delivery/webhook-delivery-run.task.js';
import { Sending } from '../delivery/sending.service.js';
import { WebhookSender } from '../delivery/webhook-sender.service.js';
import type { Webhook, WebhookWithSecret } from '../endpoints/webhook.dto.js';
import type { WebhookDelivery } from '../endpoints/webhook-delivery.dto.js';
import type { WebhookDeliveryPayload } from '../deliveries/webhook-delivery.task.js';
import { HostResolver, type ResolvedAddress } from '../target/host-resolver.service.js';
import { TargetCheck } from '../target/target-check.service.js';
import { WebhookDeliveriesRepository } from '../endpoints/webhook-deliveries.repository.js';
import { WebhookDeliveriesService } from '../deliveries/webhook-deliveries.service.js';
import { WebhookEndpointsRepository } from '../endpoints/webhook-endpoints.repository.js';
import { WEBHOOK_EVENTS } from '../endpoints/webhook-events.js';
import { WebhooksService } from '../endpoints/webhooks.service.js';

const SILENT = { debug: () => undefined, warn: () => undefined, error: () => undefined } as unknown as PinoLogger;
const PAGE = { skip: 0, limit: 100 } as const;

/** Returns the next list of the script, and the last one from then on. */
export class ScriptedResolver extends HostResolver {
  readonly asked: string[] = [];
  script: (readonly ResolvedAddress[])[] = [];

  async resolve(host: string): Promise<readonly ResolvedAddress[]> {
    this.asked.push(host);
    const answer = this.script.length > 1 ? this.script.shift() : this.script[0];
    if (answer === undefined) throw new Error(`Nobody knows ${host}.`);
    return answer;
  }
}

/** The present roles of accounts. */
class Roles extends PresentPrincipals {
  readonly byAccount = new Map<string, Role | null>();
  asked = 0;

  async find(_tenantId: string, reference: { kind: string; accountId?: AccountId }): Promise<Principal | null> {
    this.asked += 1;
    const role = this.byAccount.get(reference.accountId ?? '');
    if (role === undefined || role === null) return null;
    return { kind: 'account', accountId: reference.accountId!, role, permissions: new Set(ROLE_PERMISSIONS[role]) };
  }
}

/** Webhooks over a database, without a service: tests publish events and run tasks. */
export class WebhookLab {
  readonly roles = new Roles();
  readonly resolver = new ScriptedResolver();
  readonly settings = { webhookAllowedHosts: ['127.0.0.1'], webhookDeliveriesKeptDays: 30 } as unknown as {
    webhookAllowedHosts: string[];
  } & SettingsValues;
  readonly metrics = new Metrics();
  /** Why tasks were postponed, in order. */
  readonly postponed: string[] = [];
  private seq = 0;

  private constructor(
    readonly db: TestDatabase,
    readonly box: SecretsBox,
    readonly owner: TestMember,
  ) {
    this.roles.byAccount.set(owner.accountId, 'owner');
  }

  static async open(): Promise<WebhookLab> {
    const db = await createTestDatabase();
    const keys = { secretsKey: randomBytes(32).toString('hex'), secretsFormerKeys: [], databaseUrl: db.url };
    const box = new SecretsBox(await loadSecretsKeys({ ...keys, dataDir: '/nowhere' }));
    return new WebhookLab(db, box, await createTestMember(db.unitOfWork, 'owner'));
  }

  close(): Promise<void> {
    return this.db.close();
  }

  get unitOfWork(): TestDatabase['unitOfWork'] {
    return this.db.unitOfWork;
  }

  readonly endpoints = (): WebhookEndpointsRepository => new WebhookEndpointsRepository(this.unitOfWork);
  readonly deliveries = (): WebhookDeliveriesRepository => new WebhookDeliveriesRepository(this.unitOfWork);
  readonly access = (): DatasetAccess => new DatasetAccess(this.unitOfWork);
  readonly targets = (): TargetCheck => new TargetCheck(this.resolver, { values: this.settings });
  private readonly endpointSwitch = (): EndpointSwitch =>
    new EndpointSwitch(this.endpoints(), new AuditLog(this.unitOfWork), SILENT);
  private readonly standing = (): EndpointStanding => new EndpointStanding(this.roles, this.access());

  webhooks(box = this.box): WebhooksService {
    return new WebhooksService(this.endpoints(), this.unitOfWork, new AuditLog(this.unitOfWork), box, this.targets());
  }

  log(): WebhookDeliveriesService {
    const tasks = tasksOver(this.unitOfWork);
    return new WebhookDeliveriesService(this.webhooks(), this.deliveries(), this.access(), this.unitOfWork, tasks);
  }

  private recorder(): EventRecorder {
    return new EventRecorder(
      this.endpoints(),
      this.deliveries(),
      this.standing(),
      this.endpointSwitch(),
      tasksOver(this.unitOfWork),
      this.unitOfWork,
    );
  }

  lanes(rules = new DeliveryRules(1_000)): WebhookDeliveryRun {
    const sending = new Sending(new WebhookSender(this.targets(), rules), this.box, this.metrics, SILENT);
    const attempts = new DeliveryAttempts(
      this.endpoints(),
      this.deliveries(),
      sending,
      rules,
      this.endpointSwitch(),
      this.unitOfWork,
    );
    return new WebhookDeliveryRun(
      this.endpoints(),
      this.deliveries(),
      attempts,
      this.standing(),
      this.endpointSwitch(),
      this.unitOfWork,
    );
  }

  async addMember(role: Role): Promise<TestMember> {
    const member = await createTestMember(this.unitOfWork, role, this.owner.tenantId);
    this.roles.byAccount.set(member.accountId, role);
    return member;
  }

  /** A dataset of the owner, visible to the whole team by default. */
  async addDataset(acl: 'only_me' | 'all_team_members' = 'all_team_members', owner = this.owner): Promise<DatasetId> {
    const id = newId<DatasetId>();
    await this.sql(
      `INSERT INTO datasets (id, tenant_id, owner_id, name, name_key, acl, embedding_space, embedding)
       VALUES ($1, $2, $3, $4, $4, $5, 'space', '{}')`,
      [id, this.owner.tenantId, owner.accountId, `dataset-${id}`, acl],
    );
    return id;
  }

  addWebhook(url: string, more: { ctx?: RequestContext; events?: string[] } = {}): Promise<WebhookWithSecret> {
    const events = (more.events ?? [...WEBHOOK_EVENTS]) as Webhook['events'];
    return this.webhooks().create(more.ctx ?? this.owner.ctx, { url, events });
  }

  /** Publishes an event like the lanes of domain events. */
  async tell(
    type: string,
    subject: string,
    payload: JsonObject,
    change: Partial<DomainEvent<object>> = {},
  ): Promise<string> {
    const id = change.id ?? newId();
    const event = {
      id,
      seq: String(++this.seq),
      type,
      version: 1,
      subject,
      occurredAt: new Date(),
      payload,
      ...change,
    };
    const principal = { kind: 'system', permissions: new Set<never>() } as const;
    await this.recorder().record({ tenantId: this.owner.tenantId, principal, requestId: 'test' }, event);
    return id;
  }

  /** Publishes that a document of the dataset has completed. */
  completed(documentId: string, datasetId: DatasetId): Promise<string> {
    return this.tell('document.completed', documentId, { document_id: documentId, dataset_id: datasetId });
  }

  /** Runs due tasks at the same time until none is due. Resolves to the number of started tasks. */
  async work(lanes = this.lanes()): Promise<number> {
    let begun = 0;
    for (;;) {
      await wakeDueTasks(this.unitOfWork);
      const due = await this.system<{ id: string; payload: WebhookDeliveryPayload }>(
        `SELECT id, payload FROM tasks WHERE kind = 'webhook_delivery' AND not_before IS NULL ORDER BY created_at`,
      );
      if (due.length === 0) return begun;
      begun += due.length;
      await Promise.all(due.map((task) => this.carryOut(lanes, task)));
    }
  }

  private async carryOut(
    lanes: WebhookDeliveryRun,
    { id, payload }: { id: string; payload: WebhookDeliveryPayload },
  ): Promise<void> {
    const principal = { kind: 'system', permissions: new Set<never>() } as const;
    const ctx = { tenantId: this.owner.tenantId, principal, requestId: 'test' };
    try {
      await lanes.run({ ...runningTask(ctx, payload), id });
      await this.system(`DELETE FROM tasks WHERE id = $1`, [id]);
    } catch (error) {
      if (!(error instanceof TaskPostponed)) throw error;
      this.postponed.push(error.code);
      await this.system(`UPDATE tasks SET not_before = now() + make_interval(secs => $2::float8) WHERE id = $1`, [
        id,
        error.ms / 1000,
      ]);
    }
  }

  /** Moves the time forward for everything that waits. */
  async pass(interval: string): Promise<void> {
    await this.system(`UPDATE tasks SET not_before = not_before - $1::interval`, [interval]);
    await this.sql(
      `UPDATE webhook_deliveries SET next_attempt_at = next_attempt_at - $1::interval, claimed_until = claimed_until - $1::interval`,
      [interval],
    );
    await this.sql(
      `UPDATE webhook_endpoints SET failing_since = failing_since - $1::interval,
         former_secret_until = former_secret_until - $1::interval`,
      [interval],
    );
  }

  async deliveriesOf(webhookId: string, ctx = this.owner.ctx): Promise<WebhookDelivery[]> {
    return (await this.log().list(ctx, webhookId, PAGE)).items.toReversed();
  }

  /** A statement over tables of the tenant. */
  sql<Row>(text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return this.unitOfWork.run(this.owner.ctx, (manager) => rowsOf<Row>(manager, text, parameters));
  }

  /** A statement over tables of the service itself. */
  system<Row>(text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return this.unitOfWork.runAsSystem((manager) => rowsOf<Row>(manager, text, parameters));
  }
}
