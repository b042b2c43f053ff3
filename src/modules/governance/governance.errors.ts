import { defineErrors } from '#libs/common';

/** Errors of governance. */
export const governanceErrors = defineErrors('governance', {
  rescan_not_found: {
    status: 404,
    title: 'Rescan not found',
    detail: () => 'There is no such rescan, or you may not see its dataset.',
  },
  rescan_running: {
    status: 409,
    title: 'A rescan is running',
    detail: (f: { rescanId: string }) =>
      `A rescan of the dataset is running: ${f.rescanId}. Wait until it ends, or cancel it.`,
  },
  rescan_ended: {
    status: 409,
    title: 'Rescan has ended',
    detail: (f: { status: string }) => `The rescan is ${f.status}: there is nothing left to cancel.`,
  },
  audit_log_not_found: {
    status: 404,
    title: 'Audit log not found',
    detail: () => 'There is no tenant with the id in X-Tenant-ID, or you do not belong to it.',
  },
});
