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
      'This webhook has no such delivery, or it has left the log. GET /webhooks/{id}/deliveries lists them.',
  },
  acts_for_another: {
    status: 403,
    title: 'Webhook of another account',
    detail: () =>
      'This webhook acts for another account, so only that account changes where it leads, sends through it or reads its secret. You may switch it off (enabled: false), describe it or delete it.',
  },
  too_many: {
    status: 409,
    title: 'Too many webhooks',
    detail: (f: { most: number }) => `A tenant has ${f.most} webhooks at most. Delete one that is not needed any more.`,
  },
  disabled: {
    status: 409,
    title: 'Webhook is off',
    detail: () => 'The webhook is off, so nothing is delivered. Switch it on first: PATCH with enabled: true.',
  },
  secrets_key_missing: {
    status: 503,
    title: 'SECRETS_KEY is not set',
    detail: () =>
      'This installation has no key to encrypt the secret of a webhook with. The operator of the service sets SECRETS_KEY (32 characters or more) and restarts it.',
  },
});
