import type { ChunkSetId } from '#libs/common';
import { result } from '#libs/database';

/** What a statement gives that selects `showingStateOf`. */
export const SHOWING_STATE = {
  shown_generation: result.orNull(result.bigint),
  shown_chunk_set_id: result.orNull(result.uuid<ChunkSetId>()),
  is_deleted: result.boolean,
  is_quarantined: result.boolean,
};

/**
 * Why a document is or is not shown, as the columns of a statement; `alias`: of `documents`. For what explains it to those who may know.
 * The ids are those of the content that it has, also while it is deleted or in quarantine.
 */
export function showingStateOf(alias: string): string {
  return `${alias}.visible_generation AS shown_generation, ${shownChunkSetOf(alias)} AS shown_chunk_set_id,
    ${alias}.deleted_at IS NOT NULL AS is_deleted, ${alias}.quarantined_at IS NOT NULL AS is_quarantined`;
}

/** The chunk set of that content, as SQL. */
export function shownChunkSetOf(alias: string): string {
  return `${alias}.visible_chunk_set_id`;
}

/** Whether a document is in quarantine, as SQL: not shown, and not gone. */
export function isQuarantinedOf(alias: string): string {
  return `(${alias}.quarantined_at IS NOT NULL AND ${alias}.deleted_at IS NULL)`;
}
