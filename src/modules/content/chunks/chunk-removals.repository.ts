import type { EntityManager } from 'typeorm';
import type { DocumentId } from '#libs/common';
import { rowsOf, statement } from '#libs/database';

const REMOVE_HIDDEN_SETS = statement(
  {},
  `DELETE FROM chunk_sets s USING documents d
   WHERE d.id = s.document_id AND d.id = ANY($1::uuid[]) AND d.visible_chunk_set_id <> s.id`,
);
const REMOVE_STAGED_SEGMENTS = statement(
  {},
  `DELETE FROM staged_segments g USING document_revisions r WHERE r.id = g.revision_id AND r.document_id = ANY($1::uuid[])`,
);
const REMOVE_SETS = statement({}, `DELETE FROM chunk_sets WHERE document_id = $1`);
const REMOVE_SEGMENTS = statement(
  {},
  `DELETE FROM document_segments g USING document_revisions r WHERE r.id = g.revision_id AND r.document_id = $1`,
);

/** Removes chunks that documents do not show and segments of texts that were never shown; the documents must be locked. */
export async function removeHiddenChunks(manager: EntityManager, documentIds: readonly DocumentId[]): Promise<void> {
  await rowsOf(manager, REMOVE_HIDDEN_SETS, [documentIds]);
  await rowsOf(manager, REMOVE_STAGED_SEGMENTS, [documentIds]);
}

/** Removes all chunks and segments of a document that no longer has a text of its own. */
export async function removeChunks(manager: EntityManager, documentId: string): Promise<void> {
  await rowsOf(manager, REMOVE_SETS, [documentId]);
  await rowsOf(manager, REMOVE_SEGMENTS, [documentId]);
}
