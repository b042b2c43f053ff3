import { createModels } from '#libs/ai';
import type { ChunkId, DatasetId, DocumentId } from '#libs/common';
import { rowsOf } from '#libs/database';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { MemoryVectorStore } from './memory-vector-store.js';
import { RetrievalLibrary } from './retrieval-library.js';

/** A document that is shown, and four that are not, whatever the statement is that is asked for them: the last one only to one who does not own its dataset. */
export const FATES = ['kept', 'quarantined', 'deleted', 'superseded', 'foreign'] as const;
export type Fate = (typeof FATES)[number];

export interface PlantedDocuments {
  readonly db: TestDatabase;
  /** Sees `dataset`, and not the one of the foreign document. */
  readonly reader: TestMember;
  readonly dataset: DatasetId;
  readonly datasets: readonly DatasetId[];
  readonly documents: Readonly<Record<Fate, DocumentId>>;
  /** The only chunk of each; of the superseded document the one that it showed before. */
  readonly chunks: Readonly<Record<Fate, ChunkId>>;
}

/** Puts one document of each fate into a database of its own, with all that was made of it. */
export async function plantDocuments(): Promise<PlantedDocuments> {
  const db = await createTestDatabase();
  const { embedder } = await createModels({ embedding: 'builtin', rerank: 'builtin', chat: 'builtin' });
  const library = new RetrievalLibrary(db.unitOfWork, new MemoryVectorStore(), embedder);
  const reader = await createTestMember(db.unitOfWork, 'owner');
  const colleague = await createTestMember(db.unitOfWork, 'editor', reader.tenantId);
  const dataset = await library.addDataset(reader, 'all_team_members');
  const foreign = await library.addDataset(colleague, 'only_me');
  const [documents, chunks] = [{} as Record<Fate, DocumentId>, {} as Record<Fate, ChunkId>];
  for (const fate of FATES) {
    const id = await library.addDocument(colleague, fate === 'foreign' ? foreign : dataset, {
      texts: [`About ${fate}.`],
    });
    const [chunk] = await library.run(colleague, (manager) =>
      rowsOf<{ id: ChunkId }>(manager, `SELECT id FROM chunks WHERE document_id = $1`, [id]),
    );
    [documents[fate], chunks[fate]] = [id, chunk!.id];
  }
  await library.change(reader, documents.quarantined, 'quarantined_at = now()');
  await library.change(reader, documents.deleted, 'deleted_at = now()');
  await library.showTexts(reader, documents.superseded, ['Something else.']);
  return { db, reader, dataset, datasets: [dataset, foreign], documents, chunks };
}

/** Whose ids these are, in the order of `FATES`. */
export function fatesOf(ids: Iterable<string>, known: Readonly<Record<Fate, string>>): Fate[] {
  const found = new Set(ids);
  return FATES.filter((fate) => found.has(known[fate]));
}
