import type { EntityManager } from 'typeorm';
import type { DatasetId } from '#libs/common';
import { columnsOf, rowsOf, statement } from '#libs/database';
import { DatasetEntity, type DatasetEmbedding } from '../record/dataset.entity.js';

const BUMP_CONTENT = statement(
  columnsOf(DatasetEntity, 'content_seq'),
  `UPDATE datasets SET content_seq = content_seq + 1 WHERE id = $1 RETURNING content_seq`,
);
const SHOW_EMBEDDING = statement(
  {},
  `UPDATE datasets SET content_seq = content_seq + 1, embedding_space = $2, embedding = $3, version = version + 1, updated_at = now()
   WHERE id = $1`,
);

/**
 * Returns the number of the dataset's next visible change and locks the dataset's row, so that writers of one dataset wait for each other
 * and numbers are committed in order. `0` when the dataset does not exist.
 */
export async function bumpContent(manager: EntityManager, datasetId: DatasetId): Promise<string> {
  const [row] = await rowsOf(manager, BUMP_CONTENT, [datasetId]);
  return row?.content_seq ?? '0';
}

/** Switches searches to the vectors of another embedding space and its model, effective from the commit on. */
export async function showEmbedding(
  manager: EntityManager,
  datasetId: DatasetId,
  space: string,
  embedding: DatasetEmbedding,
): Promise<void> {
  await rowsOf(manager, SHOW_EMBEDDING, [datasetId, space, JSON.stringify(embedding)]);
}
