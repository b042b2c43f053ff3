import type { DocumentId } from '#libs/common';
import type { IndexRef, VectorStore } from '#libs/vector-store';

/** Rows of one attempt on one document in the vector store. */
export interface StoredGeneration {
  readonly documentId: DocumentId;
  readonly generation: string;
  readonly rows: number;
}

/** The generations in an index, by `document:generation`, with their numbers of rows. */
export async function listStoredGenerations(
  store: VectorStore,
  index: IndexRef,
): Promise<Map<string, StoredGeneration>> {
  const found = new Map<string, { documentId: DocumentId; generation: string; rows: number }>();
  for await (const { documentId, generation } of store.listIds(index, { all: true })) {
    const key = `${documentId}:${generation}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, { documentId, generation, rows: 1 });
    else known.rows += 1;
  }
  return found;
}
