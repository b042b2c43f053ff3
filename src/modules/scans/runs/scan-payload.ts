import type { DatasetId, JsonObject } from '#libs/common';
import { readId } from '#libs/tasks';

/** Payload of the task of a scan. */
export interface ScanPayload {
  readonly datasetId: DatasetId;
  readonly scanRunId: string;
}

export function parseScanPayload(payload: JsonObject): ScanPayload {
  return { datasetId: readId(payload, 'datasetId') as DatasetId, scanRunId: readId(payload, 'scanRunId') };
}
