import type { DatasetId, JsonObject } from '#libs/common';
import { defineTask, readId } from '#libs/tasks';

/** What the task of a rescan carries. */
export interface RescanPayload {
  readonly datasetId: DatasetId;
  readonly rescanId: string;
}

/** Looks for sensitive content in all documents of a dataset, for anyone who asked for it. */
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
