import type { DatasetId, JsonObject } from '#libs/common';
import { defineTask, readId } from '#libs/tasks';

export interface ReembeddingPayload {
  readonly datasetId: DatasetId;
  readonly reembeddingId: string;
}

/** Moves one dataset to another embedding model. The request has been accepted, so the task is repeated until it ends. */
export const REEMBEDDING = defineTask<ReembeddingPayload>({
  kind: 'reembedding',
  longestUnit: 'one call of the model, the rows of 64 documents, or the comparison of the two indexes at the end',
  isSliced: true,
  needsSpace: true,
  concurrency: 2,
  mostTries: null,
  parse: (payload: JsonObject) => ({
    datasetId: readId(payload, 'datasetId') as DatasetId,
    reembeddingId: readId(payload, 'reembeddingId'),
  }),
});
