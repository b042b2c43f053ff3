import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#libs/database';
import type { RunningTask } from '#libs/tasks';
import type { WebhookDeliveryPayload } from '../deliveries/webhook-delivery.task.js';
import {
  WebhookDeliveriesRepository,
  type AttemptEnd,
  type LaneHead,
} from '../endpoints/webhook-deliveries.repository.js';
import type { WebhookEndpointEntity } from '../endpoints/webhook-endpoint.entity.js';
import { WebhookEndpointsRepository } from '../endpoints/webhook-endpoints.repository.js';
import { TEST_EVENT } from '../endpoints/webhook-events.js';
import { DeliveryRules } from './delivery-rules.js';
import { EndpointSwitch } from './endpoint-switch.service.js';
import { Sending } from './sending.service.js';
import type { SendResult } from './webhook-sender.service.js';

/** Makes one attempt of a delivery and records its outcome. */
@Injectable()
export class DeliveryAttempts {
  constructor(
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly sending: Sending,
    private readonly rules: DeliveryRules,
    private readonly endpointSwitch: EndpointSwitch,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Number of seconds after which an attempt has ended at the latest. */
  get deadlineSeconds(): number {
    return this.rules.deadlineMs / 1000;
  }

  /**
   * The task must have claimed the delivery. Resolves to whether the receiver answered, whatever the status. Rejects when the task's signal
   * is aborted; the attempt is then repeated later.
   */
  async make(
    task: RunningTask<WebhookDeliveryPayload>,
    endpoint: WebhookEndpointEntity,
    head: LaneHead,
  ): Promise<boolean> {
    const at = new Date();
    const began = performance.now();
    const result = await this.sending.send(endpoint, head, task.signal);
    const durationMs = Math.round(performance.now() - began);
    const end = this.endOf(head, result, { at, durationMs });
    const counts = head.event_type !== TEST_EVENT;
    await this.unitOfWork.run(task.ctx, async (_manager, inner) => {
      // The endpoint's row is locked first, as when an endpoint is disabled, so that locks are always taken in the same order.
      const isLost = counts && (await this.noteOutcome(inner, endpoint, result));
      if (!(await this.deliveries.record(inner, head.id, task.id, end))) return;
      if (result.error === 'GONE') await this.endpointSwitch.disable(inner, endpoint.id, 'gone');
      else if (isLost) await this.endpointSwitch.disable(inner, endpoint.id, 'failing');
    });
    return result.error === null || result.statusCode !== null;
  }

  /** Whether the endpoint has failed for so long that it is disabled. */
  private async noteOutcome(
    ctx: Parameters<WebhookEndpointsRepository['noteSuccess']>[0],
    { id }: WebhookEndpointEntity,
    { error }: SendResult,
  ): Promise<boolean> {
    if (error !== null) return this.endpoints.noteFailure(ctx, id, this.rules.givesUpAfterSeconds);
    await this.endpoints.noteSuccess(ctx, id);
    return false;
  }

  private endOf(
    head: LaneHead,
    { error, statusCode, excerpt, waitSeconds }: SendResult,
    { at, durationMs }: { readonly at: Date; readonly durationMs: number },
  ): AttemptEnd {
    const record = {
      at: at.toISOString(),
      status_code: statusCode,
      duration_ms: durationMs,
      error,
      response_excerpt: excerpt,
    };
    if (error === null) return { status: 'delivered', errorCode: null, record, retrySeconds: null };
    const isLast = error === 'GONE' || head.event_type === TEST_EVENT;
    const retrySeconds = isLast ? null : this.rules.pauseAfter(head.tries + 1, waitSeconds);
    return { status: retrySeconds === null ? 'failed' : 'pending', errorCode: error, record, retrySeconds };
  }
}
