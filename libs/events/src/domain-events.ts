import { Inject, Injectable } from '@nestjs/common';
import { newId } from '#libs/common';
import { rowsOf, statement, UnitOfWork, type TransactionContext } from '#libs/database';
import { WorkNotifier } from '#libs/queue';
import type { EventDefinition } from './define-event.js';

/** Kind of the notification that there are events to hand out. */
export const EVENTS_NOTIFICATION = 'domain_events';

const PUBLISH = statement(
  {},
  `INSERT INTO domain_events (id, tenant_id, type, version, request_id, subject, payload)
   SELECT e.id, $1, $2, $3, $4, e.subject, e.payload
   FROM unnest($5::uuid[], $6::uuid[], $7::jsonb[]) WITH ORDINALITY AS e(id, subject, payload, n) ORDER BY e.n`,
);

/** Publishes events in the transaction of the change that they report: after it both exist, or neither. */
@Injectable()
export class DomainEvents {
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    @Inject(WorkNotifier) private readonly notifier: Pick<WorkNotifier, 'notify'>,
  ) {}

  /**
   * Writes one event for each payload, in one statement. The transaction must have locked or created the row of each subject: numbers are
   * assigned now, so that the events of one subject are numbered in the order of its changes.
   */
  async publish<P>(ctx: TransactionContext, definition: EventDefinition<P>, payloads: readonly P[]): Promise<void> {
    if (payloads.length === 0) return;
    await this.unitOfWork.asSystem(ctx, (manager) =>
      rowsOf(manager, PUBLISH, [
        ctx.tenantId,
        definition.type,
        definition.version,
        ctx.requestId,
        payloads.map(() => newId()),
        payloads.map((payload) => payload[definition.subject]),
        payloads.map((payload) => JSON.stringify(payload)),
      ]),
    );
    this.unitOfWork.afterCommit(ctx, () => this.notify());
  }

  /**
   * Calls `listener` after each commit that published events in this process, which then notifies no other process. Returns a function that stops
   * it.
   */
  onPublished(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
    // A process that delivers hears of its own events at once; the notification is for the others.
    if (this.listeners.size === 0) this.notifier.notify(EVENTS_NOTIFICATION);
  }
}
