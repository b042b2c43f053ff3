import { defineTask } from '#libs/tasks';
import { parseScanPayload, type ScanPayload } from '../runs/scan-payload.js';

/** Examines files before they are ingested. */
export const PRECHECK_SCAN = defineTask<ScanPayload>({
  kind: 'precheck_scan',
  longestUnit: 'one file',
  isSliced: true,
  needsSpace: true,
  permission: 'scans:run',
  parse: parseScanPayload,
});
