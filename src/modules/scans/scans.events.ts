import { defineEvent } from '#libs/events';

export interface ScanCompleted {
  readonly dataset_id: string;
  readonly scan_run_id: string;
  /** `profile` or `precheck`. */
  readonly kind: string;
}

/** A scan of a dataset has completed; its results can be read by its id. */
export const SCAN_COMPLETED = defineEvent<ScanCompleted>({
  type: 'scan.completed',
  version: 1,
  publisher: 'scans',
  subject: 'scan_run_id',
});
