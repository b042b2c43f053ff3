import type { DatasetId, JsonObject } from '#libs/common';
import { defineTask, readId } from '#libs/tasks';

export interface DatasetPurgePayload {
  readonly datasetId: DatasetId;
  /** The receipt. */
  readonly purgeId: string;
}

/** Cleans what was deleted from a dataset. Accepted with the request, so it is tried until it is done. */
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
