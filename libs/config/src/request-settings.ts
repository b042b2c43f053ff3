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
        'Maximum size of a JSON body, in bytes. Without an accepted credential, and under /auth/, the maximum is 64 KiB; for imports of configurations and policies it is 8 MiB.',
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
        'Seconds in which at least 16 KiB of an upload must arrive while the service waits for it; otherwise it is answered 408.',
    },
  ),
  maxAnonymousConnections: integer(
    'MAX_ANONYMOUS_CONNECTIONS_PER_ADDRESS',
    64,
    { min: 1, max: 100_000 },
    {
      section: LIMITS,
      description:
        'Maximum number of connections of one address (IPv6: of its /64) without an accepted credential. Beyond it, connections that have waited for their client for a second are closed, the oldest first. Connections of TRUST_PROXY are not counted.',
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
    {
      section: LIMITS,
      description:
        'Maximum number of streams that all members and API keys of a tenant together have open at once; 0: no limit.',
    },
  ),
} as const satisfies Record<string, Setting<unknown>>;
