import { defineTask } from '#libs/tasks';
import { parseScanPayload, type ScanPayload } from '../runs/scan-payload.js';

/** Looks at files before they are ingested, for anyone who asked for it. */
export const PRECHECK_SCAN = defineTask<ScanPayload>({
  kind: 'precheck_scan',
  longestUnit: 'one file',
  isSliced: true,
  needsSpace: true,
  permission: 'scans:run',
  parse: parseScanPayload,
});
