import type { EntityManager } from 'typeorm';
import type { JsonObject, TenantId } from '#libs/common';
import type { DocumentEventName, IngestionStage } from './document.entity.js';

export interface NewDocumentEvent {
  readonly event: DocumentEventName;
  readonly stage?: IngestionStage;
  readonly details?: JsonObject;
}

/** Appends events to a document's timeline, in the order given, in the transaction of `manager`. */
export async function appendEvents(
  manager: EntityManager,
  tenantId: TenantId,
  documentId: string,
  events: readonly NewDocumentEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await manager.query(
    `INSERT INTO document_events (tenant_id, document_id, event, stage, details)
     SELECT $1, $2, e.event, e.stage, e.details
     FROM unnest($3::text[], $4::text[], $5::jsonb[]) WITH ORDINALITY AS e(event, stage, details, n) ORDER BY e.n`,
    [
      tenantId,
      documentId,
      events.map((e) => e.event),
      events.map((e) => e.stage ?? null),
      events.map((e) => JSON.stringify(e.details ?? {})),
    ],
  );
}
