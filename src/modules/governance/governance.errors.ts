import { defineErrors } from '#libs/common';

/** Errors of governance. */
export const governanceErrors = defineErrors('governance', {
  audit_log_not_found: {
    status: 404,
    title: 'Audit log not found',
    detail: () => 'You do not belong to the tenant that X-Tenant-ID names, or there is none of that id.',
  },
});
