import type { EntityManager } from 'typeorm';
import type { JsonObject, TenantId } from '#libs/common';
import type { DocumentEventName, IngestionStage } from './document.entity.js';
import { rowsOf, statement } from '#libs/database';

export interface NewDocumentEvent {
  readonly event: DocumentEventName;
  readonly stage?: IngestionStage;
  readonly details?: JsonObject;
  /** Time of the event by the database's clock; left out: now. */
  readonly at?: Date;
}

/** The end of a stage with its results. */
export function stageCompleted(
  { stage, details }: { readonly stage: IngestionStage; readonly details: JsonObject },
  at?: Date,
): NewDocumentEvent {
  return { event: 'stage_completed', stage, details, ...(at === undefined ? {} : { at }) };
}

/** Events for the timeline of one document, in order. */
export interface EventsOfDocument {
  readonly id: string;
  readonly events: readonly NewDocumentEvent[];
}

/** Appends events to a document's timeline, in the order given, in the transaction of `manager`. */
export async function appendEvents(
  manager: EntityManager,
  tenantId: TenantId,
  documentId: string,
  events: readonly NewDocumentEvent[],
): Promise<void> {
  await appendEventsOfAll(manager, tenantId, [{ id: documentId, events }]);
}

const APPEND = statement(
  {},
  `INSERT INTO document_events (tenant_id, document_id, event, stage, details, created_at)
   SELECT $1, e.id, e.event, e.stage, e.details, coalesce(e.at, clock_timestamp())
   FROM unnest($2::uuid[], $3::text[], $4::text[], $5::jsonb[], $6::timestamptz[])
     WITH ORDINALITY AS e(id, event, stage, details, at, n) ORDER BY e.n`,
);

/** Appends events to the timelines of several documents, to each in the order given. */
export async function appendEventsOfAll(
  manager: EntityManager,
  tenantId: TenantId,
  documents: readonly EventsOfDocument[],
): Promise<void> {
  const all = documents.flatMap(({ id, events }) => events.map((event) => ({ id, ...event })));
  if (all.length === 0) return;
  await rowsOf(manager, APPEND, [
    tenantId,
    all.map((e) => e.id),
    all.map((e) => e.event),
    all.map((e) => e.stage ?? null),
    all.map((e) => JSON.stringify(e.details ?? {})),
    all.map((e) => e.at?.toISOString() ?? null),
  ]);
}
