import type { JsonObject } from '#libs/common';
import type { DocumentRow } from './document.entity.js';

/** The subject of intents about a generation of a document. */
export function generationSubject(documentId: string, generation: string): string {
  return `${documentId}:${generation}`;
}

/** The payload of an intent that removes a generation of a document from the vector store. */
export function generationIntent(
  row: Pick<DocumentRow, 'id' | 'dataset_id'>,
  generation: string,
): { readonly subject: string; readonly payload: JsonObject } {
  return {
    subject: generationSubject(row.id, generation),
    payload: { documentId: row.id, datasetId: row.dataset_id, generation },
  };
}
