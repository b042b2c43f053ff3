import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ChunkId, DocumentId } from '#libs/common';
import type { Query, VectorQuery } from '@lancedb/lancedb';
import type { ScoredChunkId, StoredChunkId } from '../../vector-store.port.js';

const ID_COLUMNS = ['chunk_id', 'document_id', 'generation'];

/** Rows between two turns of others: those of a batch are at hand, and waiting for them lets no one in. */
const ROWS_PER_TURN = 512;

/** The ids of the rows that a query finds, batch by batch. */
export async function* readIds(query: Query): AsyncGenerator<StoredChunkId> {
  for await (const batch of query.select(ID_COLUMNS)) {
    const [chunkIds, documentIds, generations] = ID_COLUMNS.map((column) => batch.getChild(column));
    for (let row = 0; row < batch.numRows; row += 1) {
      yield {
        chunkId: String(chunkIds?.get(row)) as ChunkId,
        documentId: String(documentIds?.get(row)) as DocumentId,
        generation: String(generations?.get(row)),
      };
      if (row % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn();
    }
  }
}

/** The rows that a search finds, in its order; `scoreOf` turns what LanceDB computed in `column` into a score. */
export async function readScored(
  query: Query | VectorQuery,
  column: '_score' | '_distance',
  scoreOf: (value: number) => number,
  timeoutMs: number,
): Promise<ScoredChunkId[]> {
  const rows = await query.select([...ID_COLUMNS, column]).toArrow({ timeoutMs });
  const [chunkIds, documentIds, generations, values] = [...ID_COLUMNS, column].map((name) => rows.getChild(name));
  return Array.from({ length: rows.numRows }, (_, row) => ({
    chunkId: String(chunkIds?.get(row)) as ChunkId,
    documentId: String(documentIds?.get(row)) as DocumentId,
    generation: String(generations?.get(row)),
    score: scoreOf(Number(values?.get(row))),
  }));
}
