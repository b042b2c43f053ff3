import { UnitOfWork, type TransactionContext } from '#libs/database';
import { TaskHandler, TaskPostponed, type RunningTask } from '#libs/tasks';
import { WEBHOOK_DELIVERY, type WebhookDeliveryPayload } from '../deliveries/webhook-delivery.task.js';
import { WebhookDeliveriesRepository, type LaneHead } from '../endpoints/webhook-deliveries.repository.js';
import type { WebhookEndpointEntity } from '../endpoints/webhook-endpoint.entity.js';
import { WebhookEndpointsRepository } from '../endpoints/webhook-endpoints.repository.js';
import { TEST_EVENT } from '../endpoints/webhook-events.js';
import { DeliveryAttempts } from './delivery-attempts.service.js';
import { EndpointStanding, type Standing } from './endpoint-standing.service.js';
import { EndpointSwitch } from './endpoint-switch.service.js';
import { EndpointTurns } from './endpoint-turns.js';

/** Deliveries to one endpoint that one process makes at once. */
const MOST_AT_ONCE = 8;
/** What a delivery is claimed for beyond the deadline of its attempt. */
const CLAIM_SLACK_SECONDS = 30;

/** What is to be done next in a lane. */
type NextStep =
  | { readonly kind: 'send'; readonly endpoint: WebhookEndpointEntity; readonly head: LaneHead }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'again' }
  | { readonly kind: 'done' };

const DONE = { kind: 'done' } as const;
const AGAIN = { kind: 'again' } as const;

/**
 * Sends what a lane holds, one after the other: the first delivery that has not ended holds back those behind it. Of several tasks of
 * a lane the one that claimed the first delivery goes on with the lane, the others end.
 */
@TaskHandler(WEBHOOK_DELIVERY)
export class WebhookDeliveryRun implements TaskHandler<WebhookDeliveryPayload> {
  private readonly turns = new EndpointTurns(MOST_AT_ONCE);

  constructor(
    private readonly endpoints: WebhookEndpointsRepository,
    private readonly deliveries: WebhookDeliveriesRepository,
    private readonly attempts: DeliveryAttempts,
    private readonly standing: EndpointStanding,
    private readonly endpointSwitch: EndpointSwitch,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async run(task: RunningTask<WebhookDeliveryPayload>): Promise<void> {
    const pause = await this.turns.run(task.payload.webhookId, () => this.work(task));
    if (pause !== null) throw new TaskPostponed('Enough is being sent to this webhook.', pause, 'NOT_DUE');
  }

  private async work(task: RunningTask<WebhookDeliveryPayload>): Promise<void> {
    for (;;) {
      task.signal.throwIfAborted();
      const step = await this.next(task);
      if (step.kind === 'done') return;
      if (step.kind === 'wait') throw new TaskPostponed('The next attempt is not due yet.', step.ms, 'NOT_DUE');
      if (step.kind !== 'send') continue;
      this.turns.note(task.payload.webhookId, await this.attempts.make(task, step.endpoint, step.head));
      await task.giveWay();
    }
  }

  private async next({ ctx, id: taskId, payload }: RunningTask<WebhookDeliveryPayload>): Promise<NextStep> {
    const endpoint = await this.endpoints.find(ctx, payload.webhookId);
    if (endpoint === null) return DONE;
    const standing = await this.standing.of(ctx, endpoint);
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      if ('lost' in standing) await this.endpointSwitch.disable(inner, endpoint.id, standing.lost);
      const head = await this.deliveries.findHead(inner, endpoint.id, payload.lane);
      if (head === undefined || (head.is_claimed && head.claimed_by !== taskId)) return DONE;
      if (head.wait_ms > 0) return this.waitFor(inner, head, taskId);
      const obstacle = await this.findObstacle(inner, endpoint, standing, head);
      if (obstacle !== null) {
        await this.deliveries.cancel(inner, head.id, obstacle);
        return AGAIN;
      }
      await this.deliveries.claim(inner, head.id, taskId, this.attempts.deadlineSeconds + CLAIM_SLACK_SECONDS);
      return { kind: 'send', endpoint, head };
    });
  }

  /** The task that claimed the delivery waits for it; any other one has nothing to do. */
  private async waitFor(ctx: TransactionContext, head: LaneHead, taskId: string): Promise<NextStep> {
    if (head.claimed_by !== null && head.claimed_by !== taskId) return DONE;
    await this.deliveries.claim(ctx, head.id, taskId, 0);
    return { kind: 'wait', ms: head.wait_ms };
  }

  /** Why the delivery is not sent; null: it is. */
  private async findObstacle(
    ctx: TransactionContext,
    endpoint: WebhookEndpointEntity,
    standing: Standing,
    head: LaneHead,
  ): Promise<'WEBHOOK_DISABLED' | 'DATASET_NOT_VISIBLE' | null> {
    if ('lost' in standing) return 'WEBHOOK_DISABLED';
    if (!endpoint.enabled && head.event_type !== TEST_EVENT) return 'WEBHOOK_DISABLED';
    // A dataset that is gone by now was visible when the event was recorded.
    const { dataset_ids: datasetIds } = head;
    const isVisible = await this.standing.mayKnow(ctx, endpoint, standing.principal, datasetIds, true);
    return isVisible ? null : 'DATASET_NOT_VISIBLE';
  }
}
