import type { ChunkSetId } from '#libs/common';
import { result } from '#libs/database';

/** Row type of a statement that selects `showingStateOf`. */
export const SHOWING_STATE = {
  shown_generation: result.orNull(result.bigint),
  shown_chunk_set_id: result.orNull(result.uuid<ChunkSetId>()),
  is_deleted: result.boolean,
  is_quarantined: result.boolean,
};

/**
 * Columns that say why a document is or is not shown, for explanations to callers who may know; `alias` names the table `documents`. The
 * ids are those of its completed content, even while it is deleted or quarantined.
 */
export function showingStateOf(alias: string): string {
  return `${alias}.visible_generation AS shown_generation, ${shownChunkSetOf(alias)} AS shown_chunk_set_id,
    ${alias}.deleted_at IS NOT NULL AS is_deleted, ${alias}.quarantined_at IS NOT NULL AS is_quarantined`;
}

/** The chunk set of the completed content, as SQL. */
export function shownChunkSetOf(alias: string): string {
  return `${alias}.visible_chunk_set_id`;
}

/** Whether a document is in quarantine and not deleted, as SQL. */
export function isQuarantinedOf(alias: string): string {
  return `(${alias}.quarantined_at IS NOT NULL AND ${alias}.deleted_at IS NULL)`;
}
