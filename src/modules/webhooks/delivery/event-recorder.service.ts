import { Injectable } from '@nestjs/common';
import type { DatasetId, JsonObject } from '#libs/common';
import { UnitOfWork } from '#libs/database';
import {
  DATASET_PURGED,
  DOCUMENT_CANCELLED,
  DOCUMENT_COMPLETED,
  DOCUMENT_COMPLETED_WITH_WARNINGS,
  DOCUMENT_DELETED,
  DOCUMENT_FAILED,
  DOCUMENT_QUARANTINED,
} from '../../documents/index.js';
import { OnDomainEvent, type DomainEvent } from '#libs/events';
import { POLICY_VERSION_CREATED } from '../../ingestion-policy/index.js';
import { KG_COMPLETED } from '../../kg/index.js';
import { SCAN_COMPLETED } from '../../scans/index.js';
import { Tasks } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { WEBHOOK_DELIVERY, laneSubject } from '../deliveries/webhook-delivery.task.js';
import { WebhookDeliveriesRepository } from '../endpoints/webhook-deliveries.repository.js';
import { WebhookEndpointsRepository } from '../endpoints/webhook-endpoints.repository.js';
import { EVALUATION_COMPLETED } from '../../evaluations/index.js';
import type { WebhookId } from '../endpoints/webhook-endpoint.entity.js';
import { messageBody } from '../deliveries/webhook-message.js';
import { EndpointStanding } from './endpoint-standing.service.js';
import { EndpointSwitch } from './endpoint-switch.service.js';

const SUBSCRIPTION = { subscriber: 'webhooks' } as const;

/** Records each domain event for the endpoints that get it, together with the task that sends it, in one transaction. */
@Injectable()
export class EventRecorder {
  constructor(
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly standing: EndpointStanding,
    private readonly endpointSwitch: EndpointSwitch,
    private readonly tasks: Tasks,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Idempotent: the same event is recorded once. */
  @OnDomainEvent(DOCUMENT_COMPLETED, SUBSCRIPTION)
  @OnDomainEvent(DOCUMENT_COMPLETED_WITH_WARNINGS, SUBSCRIPTION)
  @OnDomainEvent(DOCUMENT_FAILED, SUBSCRIPTION)
  @OnDomainEvent(DOCUMENT_QUARANTINED, SUBSCRIPTION)
  @OnDomainEvent(DOCUMENT_CANCELLED, SUBSCRIPTION)
  @OnDomainEvent(DOCUMENT_DELETED, SUBSCRIPTION)
  @OnDomainEvent(DATASET_PURGED, SUBSCRIPTION)
  @OnDomainEvent(POLICY_VERSION_CREATED, SUBSCRIPTION)
  @OnDomainEvent(SCAN_COMPLETED, SUBSCRIPTION)
  @OnDomainEvent(KG_COMPLETED, SUBSCRIPTION)
  @OnDomainEvent(EVALUATION_COMPLETED, SUBSCRIPTION)
  async record(ctx: RequestContext, event: DomainEvent<object>): Promise<void> {
    const payload = event.payload as JsonObject;
    const datasetIds = datasetIdsOf(payload);
    const told = await this.listTold(ctx, event.type, datasetIds);
    if (told.length === 0) return;
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      const recorded = {
        eventId: event.id,
        seq: event.seq,
        type: event.type,
        lane: event.subject,
        datasetIds,
        body: messageBody(event.type, event.occurredAt, { tenant_id: ctx.tenantId, ...payload }),
      };
      const made = await this.deliveries.insert(inner, recorded, told);
      const lane = event.subject;
      const works = made.map(({ endpoint_id: webhookId }) => ({
        subject: laneSubject(webhookId, lane),
        payload: { webhookId, lane },
      }));
      await this.tasks.promiseEach(inner, WEBHOOK_DELIVERY, works);
    });
  }

  private async listTold(
    ctx: RequestContext,
    type: string,
    datasetIds: readonly DatasetId[],
  ): Promise<readonly WebhookId[]> {
    // An event without a dataset has no access list that says who may get it.
    if (datasetIds.length === 0) return [];
    const endpoints = await this.endpoints.listSubscribed(ctx, type);
    const { told, lost } = await this.standing.sort(ctx, endpoints, datasetIds);
    for (const [id, reason] of lost)
      await this.unitOfWork.run(ctx, (_manager, inner) => this.endpointSwitch.disable(inner, id, reason));
    return told;
  }
}

/** The datasets that an event is about. */
function datasetIdsOf({ dataset_id: one, dataset_ids: several }: JsonObject): DatasetId[] {
  const ids: readonly unknown[] = [one, ...(Array.isArray(several) ? (several as readonly unknown[]) : [])];
  return [...new Set(ids.filter((id) => typeof id === 'string'))] as DatasetId[];
}
