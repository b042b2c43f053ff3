import type { ChunkSetId } from '#libs/common';
import type { DocumentRow } from './document.entity.js';

/** Whether a document may be read at all, as SQL: it is neither deleted nor in quarantine. `alias`: of `documents`. */
export function isOpen(alias: string): string {
  return `${alias}.deleted_at IS NULL AND ${alias}.quarantined_at IS NULL`;
}

/** The finished content that a document has, shown or kept back; null where nothing of it was ever finished. */
export function contentOf(row: Pick<DocumentRow, 'visible_generation' | 'visible_chunk_set_id'>): {
  readonly generation: string | null;
  readonly chunkSetId: ChunkSetId | null;
} {
  return { generation: row.visible_generation, chunkSetId: row.visible_chunk_set_id };
}
