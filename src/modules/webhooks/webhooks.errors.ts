import { defineErrors } from '#libs/common';

export const webhookErrors = defineErrors('webhooks', {
  not_found: {
    status: 404,
    title: 'Webhook not found',
    detail: () => 'There is no such webhook in this tenant. GET /webhooks lists them.',
  },
  delivery_not_found: {
    status: 404,
    title: 'Delivery not found',
    detail: () =>
      'This webhook has no such delivery, or the delivery was removed from the log. GET /webhooks/{id}/deliveries lists the deliveries.',
  },
  acts_for_another: {
    status: 403,
    title: 'Webhook of another account',
    detail: () =>
      'This webhook acts for another account. Only that account may change url and events, enable the webhook, send with it or rotate its secret. You may disable it (enabled: false), change its description or delete it.',
  },
  too_many: {
    status: 409,
    title: 'Too many webhooks',
    detail: (f: { most: number }) =>
      `A tenant may have at most ${f.most} webhooks. Delete one that is no longer needed.`,
  },
  disabled: {
    status: 409,
    title: 'Webhook is disabled',
    detail: () => 'The webhook is disabled, so nothing is delivered. Enable it first: PATCH with enabled: true.',
  },
  secrets_key_missing: {
    status: 503,
    title: 'SECRETS_KEY is not set',
    detail: () =>
      'This installation has no key to encrypt the secrets of webhooks. The operator must set SECRETS_KEY (at least 32 characters) and restart the service.',
  },
});
