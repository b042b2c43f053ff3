import type { ChunkSetId } from '#libs/common';
import type { DocumentRow } from './document.entity.js';

/** SQL condition that a document is neither deleted nor in quarantine; `alias` names the table `documents`. */
export function isOpen(alias: string): string {
  return `${alias}.deleted_at IS NULL AND ${alias}.quarantined_at IS NULL`;
}

/** The completed content of a document, shown or in quarantine; null if no attempt has ever completed. */
export function contentOf(row: Pick<DocumentRow, 'visible_generation' | 'visible_chunk_set_id'>): {
  readonly generation: string | null;
  readonly chunkSetId: ChunkSetId | null;
} {
  return { generation: row.visible_generation, chunkSetId: row.visible_chunk_set_id };
}
