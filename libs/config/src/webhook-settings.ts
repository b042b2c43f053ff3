import { HOSTS, networkNames } from './network-names.js';
import { integer, list, optionalText, type Setting } from './setting.js';

const WEBHOOKS = 'Webhooks';

/** Settings of webhooks, and of the key that encrypts their secrets. */
export const WEBHOOK_SETTINGS = {
  secretsKey: optionalText('SECRETS_KEY', {
    section: WEBHOOKS,
    secret: true,
    description:
      'Key that encrypts secrets in the database, such as those of webhooks: 32 characters or more, the same in every process. Empty: a generated key is kept in DATA_DIR; with DATABASE_URL no webhooks can be created then.',
  }),
  secretsFormerKeys: list('SECRETS_FORMER_KEYS', {
    section: WEBHOOKS,
    secret: true,
    description: 'Comma-separated former values of SECRETS_KEY, with which secrets that they encrypted are still read.',
  }),
  webhookAllowedHosts: networkNames('WEBHOOK_ALLOWED_HOSTS', HOSTS, {
    section: WEBHOOKS,
    description:
      'Comma-separated hosts that webhooks may reach although their addresses are private, as written in the URL; with :port only this port is allowed.',
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
      description: 'Days after which an ended delivery is removed from the log of its webhook.',
    },
  ),
} as const satisfies Record<string, Setting<unknown>>;
