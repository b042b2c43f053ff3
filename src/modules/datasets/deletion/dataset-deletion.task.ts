import type { DatasetId, JsonObject } from '#libs/common';
import { defineTask, readId } from '#libs/tasks';

export interface DatasetDeletionPayload {
  readonly datasetId: DatasetId;
  /** Identifier of the receipt. */
  readonly deletionId: string;
}

/** Removes all data of a deleted dataset. The deletion has been accepted, so the task is repeated until it succeeds. */
export const DATASET_DELETION = defineTask<DatasetDeletionPayload>({
  kind: 'dataset_deletion',
  longestUnit: '200 documents, or the indexes and the rest of one dataset',
  isSliced: true,
  concurrency: 2,
  mostTries: null,
  parse: (payload: JsonObject) => ({
    datasetId: readId(payload, 'datasetId') as DatasetId,
    deletionId: readId(payload, 'deletionId'),
  }),
});
