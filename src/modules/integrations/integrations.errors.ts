import { defineErrors } from '#libs/common';

export const integrationErrors = defineErrors('integrations', {
  embedding_model_not_found: {
    status: 404,
    title: 'Embedding model not found',
    detail: (f: { model: string; available: readonly string[] }) =>
      `There is no embedding model "${f.model}". Leave \`model\` out or use one of: ${f.available.join(', ')}.`,
  },
  origin_not_allowed: {
    status: 403,
    title: 'Origin not allowed',
    detail: (f: { origin: string }) =>
      `Pages of ${f.origin} may not use this server. The operator allows origins: the service's own in PUBLIC_URL, others in CORS_ORIGINS. Programs should not send an Origin header.`,
  },
});
