import { integer, type Setting } from './setting.js';

const LIMITS = 'Limits';
const KIB = 1024;
const MIB = 1024 * KIB;

/** Settings that bound what one request and one address may cost. */
export const REQUEST_SETTINGS = {
  maxJsonBytes: integer(
    'MAX_JSON_BYTES',
    MIB,
    { min: 64 * KIB, max: 64 * MIB },
    {
      section: LIMITS,
      description:
        'Largest JSON body in bytes. Without an accepted credential, and under /auth/, it is 64 KiB; imports of configurations and policies take 8 MiB.',
    },
  ),
  maxJsonValues: integer(
    'MAX_JSON_VALUES',
    20_000,
    { min: 1000, max: 1_000_000 },
    {
      section: LIMITS,
      description: 'Maximum number of values (objects, lists, texts, numbers, true, false, null) of a JSON body.',
    },
  ),
  jsonBodyTimeoutSeconds: integer(
    'JSON_BODY_TIMEOUT_SECONDS',
    20,
    { min: 1, max: 3600 },
    { section: LIMITS, description: 'Seconds within which a JSON body must arrive; otherwise it is answered 408.' },
  ),
  uploadIdleSeconds: integer(
    'UPLOAD_IDLE_SECONDS',
    30,
    { min: 1, max: 3600 },
    {
      section: LIMITS,
      description:
        'Seconds of waiting for an upload within which at least 16 KiB must arrive; otherwise it is answered 408.',
    },
  ),
  maxAnonymousConnections: integer(
    'MAX_ANONYMOUS_CONNECTIONS_PER_ADDRESS',
    64,
    { min: 1, max: 100_000 },
    {
      section: LIMITS,
      description:
        'Connections of one address (IPv6: of its /64) without an accepted credential, beyond which those that have waited for their client for a second are closed, the oldest first; those of TRUST_PROXY are not counted.',
    },
  ),
  maxStreamsPerPrincipal: integer(
    'MAX_STREAMS_PER_PRINCIPAL',
    20,
    { min: 0, max: 1_000_000 },
    {
      section: LIMITS,
      description:
        'Maximum number of streams (chats, events) that one account or API key has open at once, over all processes that share a Redis; 0: no limit.',
    },
  ),
  maxStreamsPerTenant: integer(
    'MAX_STREAMS_PER_TENANT',
    1000,
    { min: 0, max: 1_000_000 },
    { section: LIMITS, description: 'The same for all members and API keys of a tenant together.' },
  ),
} as const satisfies Record<string, Setting<unknown>>;
