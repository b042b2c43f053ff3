import { HOSTS, networkNames } from './network-names.js';
import { integer, list, optionalText, type Setting } from './setting.js';

const WEBHOOKS = 'Webhooks';

/** Settings of webhooks, and of the key that encrypts their secrets. */
export const WEBHOOK_SETTINGS = {
  secretsKey: optionalText('SECRETS_KEY', {
    section: WEBHOOKS,
    secret: true,
    description:
      'Key that encrypts secrets in the database, such as those of webhooks: 32 characters or more, the same in every process. Without it a key is kept in DATA_DIR; with DATABASE_URL no webhook can be made without it.',
  }),
  secretsFormerKeys: list('SECRETS_FORMER_KEYS', {
    section: WEBHOOKS,
    secret: true,
    description: 'Comma-separated keys that were SECRETS_KEY before and still read what they have encrypted.',
  }),
  webhookAllowedHosts: networkNames('WEBHOOK_ALLOWED_HOSTS', HOSTS, {
    section: WEBHOOKS,
    description:
      'Comma-separated hosts, as written in the URL (with :port for one port only), that webhooks may reach although they are private.',
  }),
  webhookTimeoutSeconds: integer(
    'WEBHOOK_TIMEOUT_SECONDS',
    15,
    { min: 1, max: 60 },
    { section: WEBHOOKS, description: 'Seconds within which the receiver of a webhook must answer.' },
  ),
  webhookDeliveriesKeptDays: integer(
    'WEBHOOK_DELIVERIES_KEPT_DAYS',
    30,
    { min: 1, max: 3650 },
    {
      section: WEBHOOKS,
      description: 'Days after which a delivery that has ended leaves the log of its webhook.',
    },
  ),
} as const satisfies Record<string, Setting<unknown>>;
