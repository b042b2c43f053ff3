import type { DatasetId, JsonObject } from '#libs/common';
import { defineTask, readId } from '#libs/tasks';

export interface DatasetPurgePayload {
  readonly datasetId: DatasetId;
  /** Identifier of the receipt. */
  readonly purgeId: string;
}

/** Removes the data of a dataset's deleted documents. The request has been accepted, so the task is repeated until it succeeds. */
export const DATASET_PURGE = defineTask<DatasetPurgePayload>({
  kind: 'dataset_purge',
  longestUnit: '100 documents',
  isSliced: true,
  concurrency: 2,
  mostTries: null,
  parse: (payload: JsonObject) => ({
    datasetId: readId(payload, 'datasetId') as DatasetId,
    purgeId: readId(payload, 'purgeId'),
  }),
});
