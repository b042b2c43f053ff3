import type { JsonObject } from '#libs/common';
import type { DocumentRow } from './document.entity.js';

/** Names a generation of a document among the intents. */
export function generationSubject(documentId: string, generation: string): string {
  return `${documentId}:${generation}`;
}

/** What takes a generation of a document out of the vector store. */
export function generationIntent(
  row: Pick<DocumentRow, 'id' | 'dataset_id'>,
  generation: string,
): { readonly subject: string; readonly payload: JsonObject } {
  return {
    subject: generationSubject(row.id, generation),
    payload: { documentId: row.id, datasetId: row.dataset_id, generation },
  };
}
