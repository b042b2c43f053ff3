import { defineErrors } from '#libs/common';

export const policyErrors = defineErrors('ingestion_policy', {
  version_not_found: {
    status: 404,
    title: 'Policy version not found',
    detail: (f: { version: number | string }) => `The dataset has no version ${f.version} of its ingestion policy.`,
  },
  version_cleaned_up: {
    status: 410,
    title: 'Policy version removed',
    detail: (f: { version: number; oldest: number }) =>
      `Version ${f.version} of the ingestion policy has been removed: only the newest versions are kept, from ${f.oldest} on.`,
  },
  invalid: {
    status: 400,
    title: 'Ingestion policy not valid',
    detail: (f: { summary: string }) =>
      `The ingestion policy is not valid: ${f.summary} GET /schemas/ingestion-policy describes it.`,
  },
  weaker_governance: {
    status: 403,
    title: 'Weaker governance rules',
    detail: (f: { permission: string; kind: string }) =>
      `The policy has fewer or weaker governance rules than the present one: a detector is missing, has a milder action or is less sensitive, or more types or larger files are allowed. ${f.kind === 'api_key' ? `This needs the scope ${f.permission}, which this API key does not have; keep the rules, or create a key with this scope (POST /auth/api-keys).` : `This needs the permission ${f.permission}; keep the rules, or ask an administrator of the tenant.`}`,
  },
  unreadable_file: {
    status: 400,
    title: 'Policy file cannot be read',
    detail: (f: { format: string; reason: string }) => `The file cannot be read as ${f.format}: ${f.reason}`,
  },
  too_large: {
    status: 413,
    title: 'Ingestion policy too large',
    detail: (f: { limit: number }) => `An ingestion policy may have at most ${f.limit} bytes.`,
  },
  file_too_large: {
    status: 413,
    title: 'Policy file too large',
    detail: (f: { limit: number }) => `The file of an ingestion policy may have at most ${f.limit} bytes.`,
  },
  not_multipart: {
    status: 415,
    title: 'Not multipart',
    detail: () => 'Send the policy as multipart/form-data with the field file.',
  },
  malformed_multipart: {
    status: 400,
    title: 'Malformed multipart body',
    detail: (f: { reason: string }) =>
      `The multipart body cannot be read: ${f.reason}. Nothing was changed; send it again.`,
  },
});
