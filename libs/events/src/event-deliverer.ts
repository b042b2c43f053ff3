import { Injectable } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { catalogueErrorOf, Batcher, mapBounded, withDeadline, type TenantId } from '#libs/common';
import { Metrics } from '#libs/metrics';
import type { RequestContext } from '#libs/tenancy';
import type { DomainEvent } from './define-event.js';
import type { ClaimedLane, DeliveryRow, LaneResult } from './event-lane.js';
import { EventLanesRepository } from './event-lanes.repository.js';
import { EventRules } from './event-rules.js';
import { EventSubscriptions, type Subscription } from './event-subscriptions.js';

/** Number of lanes of one round, and of a round after one in which no delivery succeeded. */
const LANES = 64;
const LANES_IN_TROUBLE = 8;
/** Number of deliveries of a lane that are made in one turn. */
const DELIVERIES_EACH = 20;
/** Number of lanes of a subscriber that are delivered at once. */
const AT_ONCE = 4;
/** Milliseconds after which a delivery has failed. */
const DELIVERY_MS = 30_000;
/** Lanes that are put off together when none of a tenant's was answered. */
const PUT_OFF = 1_000;
const NO_ANSWER = 'NO_ANSWER';

/** Outcome of a round. */
export interface RoundResult {
  readonly lanes: number;
  /** Whether all of several lanes failed, which means that the subscriber fails, not single documents. */
  readonly inTrouble: boolean;
}

/** Makes the deliveries of one subscriber: lanes in parallel, the deliveries of a lane one after another. */
@Injectable()
export class EventDeliverer {
  private readonly settling: Batcher<{ readonly subscriber: string; readonly result: LaneResult }, undefined>;
  private readonly inTrouble = new Set<string>();

  constructor(
    private readonly lanes: EventLanesRepository,
    private readonly subscriptions: EventSubscriptions,
    private readonly rules: EventRules,
    private readonly metrics: Metrics,
    private readonly logger: PinoLogger,
  ) {
    this.settling = new Batcher(async (items) => {
      const { subscriber } = items[0]!;
      const parked = await this.lanes.settle(
        subscriber,
        items.map(({ result }) => result),
      );
      this.countParked(subscriber, parked);
      return items.map(() => undefined);
    }, LANES);
  }

  /** Subscribers of this process for whom something is due. */
  async listDue(): Promise<readonly string[]> {
    const { subscribers } = this.subscriptions;
    return subscribers.length === 0 ? [] : this.lanes.listDue(subscribers);
  }

  /** Makes due what an earlier process was delivering: right only for a process that knows itself to be the only one that delivers. */
  async takeUpAll(): Promise<void> {
    await this.lanes.freeAll();
  }

  /** Works through what is due now, as far as one round goes. */
  async round(subscriber: string, stop: AbortSignal): Promise<RoundResult> {
    const wasInTrouble = this.inTrouble.has(subscriber);
    const limit = wasInTrouble ? LANES_IN_TROUBLE : LANES;
    const lanes = await this.lanes.claim(subscriber, limit, DELIVERIES_EACH);
    if (lanes.length === 0) return { lanes: 0, inTrouble: false };
    const results = await this.workOn(subscriber, lanes, stop);
    // Where every lane has failed before, half of a round is all that is claimed.
    const fewest = wasInTrouble ? LANES_IN_TROUBLE / 2 : LANES_IN_TROUBLE;
    const inTrouble = results.length >= fewest && results.every(isWithoutAnswer);
    if (inTrouble) this.inTrouble.add(subscriber);
    else this.inTrouble.delete(subscriber);
    const unanswered = tenantsWithoutAnswer(results, inTrouble ? 1 : fewest);
    if (unanswered.length > 0) {
      this.countParked(subscriber, await this.lanes.putOff(subscriber, unanswered, PUT_OFF, NO_ANSWER));
    }
    return { lanes: lanes.length, inTrouble };
  }

  private async workOn(
    subscriber: string,
    lanes: readonly ClaimedLane[],
    stop: AbortSignal,
  ): Promise<readonly LaneResult[]> {
    const open = new Map(lanes.map((lane) => [lane.token, { lane, lost: new AbortController() }]));
    const heartbeat = setInterval(() => void this.extend(subscriber, open), (this.rules.leaseSeconds * 1000) / 3);
    const settled: Promise<void>[] = [];
    try {
      const results = await mapBounded([...open.values()], AT_ONCE, async ({ lane, lost }) => {
        const result = await this.deliverLane(subscriber, lane, AbortSignal.any([stop, lost.signal]));
        // Not awaited here: results that come while others are being written are written together, by one statement.
        const settling = this.settling.submit(subscriber, { subscriber, result });
        settled.push(settling.then(() => void open.delete(lane.token)));
        settled.at(-1)!.catch(() => undefined);
        return result;
      });
      await Promise.all(settled);
      return results;
    } finally {
      clearInterval(heartbeat);
    }
  }

  private async extend(
    subscriber: string,
    open: ReadonlyMap<string, { readonly lane: ClaimedLane; readonly lost: AbortController }>,
  ): Promise<void> {
    try {
      const held = await this.lanes.extend(
        subscriber,
        [...open.values()].map(({ lane }) => lane),
      );
      for (const [token, { lost }] of open) {
        if (!held.has(token)) lost.abort(new Error('Another process has taken the delivery over.'));
      }
    } catch (error) {
      this.logger.warn({ err: error, subscriber }, 'events.lease_not_extended');
    }
  }

  /** A lane that stops early is settled as far as it came. */
  private async deliverLane(subscriber: string, lane: ClaimedLane, stop: AbortSignal): Promise<LaneResult> {
    const delivered: string[] = [];
    for (const row of lane.deliveries) {
      if (stop.aborted) break;
      const reason = await this.deliver(subscriber, row, stop);
      if (stop.aborted && reason !== null) break;
      this.metrics.countDelivery(subscriber, reason === null ? 'delivered' : 'failed');
      if (reason !== null) return { lane, delivered, failed: { seq: row.seq, reason } };
      delivered.push(row.seq);
    }
    return { lane, delivered, failed: null };
  }

  /** Null when it was delivered, else the code of what went wrong. */
  private async deliver(subscriber: string, row: DeliveryRow, stop: AbortSignal): Promise<string | null> {
    const late = AbortSignal.timeout(DELIVERY_MS);
    const tooLate = (): Error => new Error(`"${subscriber}" did not answer within ${DELIVERY_MS} ms.`);
    try {
      const subscription = this.requireSubscription(subscriber, row);
      const work = subscription.handle(contextOf(row), toEvent(row), { signal: AbortSignal.any([stop, late]) });
      await withDeadline(work, DELIVERY_MS, tooLate);
      return null;
    } catch (error) {
      this.logger.warn({ err: error, subscriber, type: row.type, eventId: row.id }, 'events.delivery_failed');
      return codeOf(error);
    }
  }

  private requireSubscription(subscriber: string, { type, version }: DeliveryRow): Subscription {
    const subscription = this.subscriptions.find(subscriber, type);
    if (subscription === undefined) throw new Error(`"${subscriber}" subscribes to ${type} no more.`);
    if (subscription.version === version) return subscription;
    throw new Error(`"${subscriber}" knows version ${subscription.version} of ${type}, not ${version}.`);
  }

  private countParked(subscriber: string, parked: number): void {
    if (parked === 0) return;
    this.logger.error({ subscriber, parked }, 'events.parked');
    this.metrics.countDelivery(subscriber, 'parked', parked);
  }
}

function isWithoutAnswer({ failed, delivered }: LaneResult): boolean {
  return failed !== null && delivered.length === 0;
}

/** Those with this many lanes at least, of which every one has failed. */
function tenantsWithoutAnswer(results: readonly LaneResult[], fewest: number): TenantId[] {
  const byTenant = Map.groupBy(results, ({ lane }) => lane.tenantId);
  return [...byTenant].flatMap(([tenantId, own]) =>
    own.length >= fewest && own.every(isWithoutAnswer) ? [tenantId] : [],
  );
}

/** What is kept of a failure is a code: messages may quote documents. The message is in the log. */
function codeOf(error: unknown): string {
  return catalogueErrorOf(error)?.code ?? (error instanceof Error ? error.name : 'UNKNOWN');
}

function contextOf(row: DeliveryRow): RequestContext {
  return {
    tenantId: row.tenant_id,
    principal: { kind: 'system', permissions: new Set() },
    requestId: row.request_id,
  };
}

function toEvent(row: DeliveryRow): DomainEvent<unknown> {
  const { id, seq, type, version, subject, payload, occurred_at: occurredAt } = row;
  return { id, seq, type, version, subject, occurredAt, payload };
}
