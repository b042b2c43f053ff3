import type { JsonObject } from '#libs/common';
import type { AuditLog, TransactionContext } from '#libs/database';
import type { DocumentRow } from './document.entity.js';

/** Records an action on documents in the audit log: one entry for each dataset, with the ids of its documents. */
export async function auditDocuments(
  audit: AuditLog,
  ctx: TransactionContext,
  event: string,
  rows: readonly Pick<DocumentRow, 'id' | 'dataset_id'>[],
  details: JsonObject = {},
): Promise<void> {
  const byDataset = new Map<string, string[]>();
  for (const row of rows) byDataset.set(row.dataset_id, [...(byDataset.get(row.dataset_id) ?? []), row.id]);
  for (const [datasetId, ids] of byDataset) {
    await audit.append(ctx, { event, subject: `dataset:${datasetId}`, details: { ...details, document_ids: ids } });
  }
}
