import type { DatasetId, JsonObject } from '#libs/common';
import { defineTask, readId } from '#libs/tasks';

/** Payload of the task of a rescan. */
export interface RescanPayload {
  readonly datasetId: DatasetId;
  readonly rescanId: string;
}

/** Searches all documents of a dataset for sensitive content. */
export const GOVERNANCE_RESCAN = defineTask<RescanPayload>({
  kind: 'governance_rescan',
  longestUnit: 'one document',
  isSliced: true,
  permission: 'governance:read',
  parse: (payload: JsonObject) => ({
    datasetId: readId(payload, 'datasetId') as DatasetId,
    rescanId: readId(payload, 'rescanId'),
  }),
});
