import { defineTask } from '#libs/tasks';
import { parseScanPayload, type ScanPayload } from '../runs/scan-payload.js';

/** Examines all documents of a dataset. */
export const PROFILE_SCAN = defineTask<ScanPayload>({
  kind: 'profile_scan',
  longestUnit: 'ten documents, or the figures of all of them together at the end',
  isSliced: true,
  permission: 'scans:run',
  parse: parseScanPayload,
});
