import { defineErrors } from '#libs/common';

export const policyErrors = defineErrors('ingestion_policy', {
  version_not_found: {
    status: 404,
    title: 'Policy version not found',
    detail: (f: { version: number }) => `The dataset has no version ${f.version} of its ingestion policy.`,
  },
});
