import type { AdapterPorts, AdapterValues } from './adapters/adapter.js';
import { AUDIT_SETTINGS } from './audit-settings.js';
import { CHAT_SETTINGS } from './chat-settings.js';
import { EVENT_SETTINGS } from './event-settings.js';
import { INGESTION_SETTINGS } from './ingestion-settings.js';
import { OIDC_SETTINGS } from './oidc-settings.js';
import type { FurtherModel } from './models-file/further-model.js';
import { MODEL_CALL_SETTINGS } from './model-call-settings.js';
import { RATE_LIMIT_SETTINGS } from './rate-limit-settings.js';
import { READINESS_SETTINGS } from './readiness-settings.js';
import { REQUEST_SETTINGS } from './request-settings.js';
import { RETENTION_SETTINGS } from './retention-settings.js';
import { networkNames, ORIGINS, PROXIES } from './network-names.js';
import { integer, list, oneOf, optionalText, text, url, type Setting } from './setting.js';
import { SHUTDOWN_SETTINGS } from './shutdown-settings.js';
import { STORAGE_SETTINGS } from './storage-settings.js';
import { WEBHOOK_SETTINGS } from './webhook-settings.js';

const SERVICE = 'Service';
const AUTH = 'Authentication';
const DATA = 'Data';
const MODELS = 'Models';
const LIMITS = 'Limits';
const MIB = 1024 * 1024;

/** Sections of `.env.example` in their order; others follow. */
export const SECTIONS = [SERVICE, AUTH, DATA, 'Vector store', 'Object storage', MODELS, 'Ingestion', LIMITS] as const;

/** Every setting of the service itself; adapters bring their own. The order here is the order of `.env.example` within a section. */
export const SETTINGS = {
  role: oneOf('ROLE', ['all', 'api', 'worker'], 'all', {
    section: SERVICE,
    description: 'Role of this process. api: the HTTP interface; worker: the background work; all: both.',
  }),
  host: text('HOST', '127.0.0.1', { section: SERVICE, description: 'Address to listen on.' }),
  port: integer(
    'PORT',
    8000,
    { min: 0, max: 65535 },
    { section: SERVICE, description: 'Port to listen on; 0 takes a free one.' },
  ),
  dataDir: text('DATA_DIR', './data', {
    section: SERVICE,
    description: 'Folder for everything that the embedded defaults keep: database, vectors, files, keys.',
  }),
  dataDirShared: oneOf('DATA_DIR_SHARED', ['true', 'false'], 'false', {
    section: SERVICE,
    description:
      'Whether DATA_DIR is the same folder for every process of the installation. Required for separate processes (ROLE=api, ROLE=worker) with OBJECT_STORAGE=filesystem.',
  }),
  logLevel: oneOf('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info', {
    section: SERVICE,
    description: 'Lowest level of log entries that are written.',
  }),
  logRequests: oneOf('LOG_REQUESTS', ['on', 'off'], 'off', {
    section: SERVICE,
    description:
      'Whether each answered request is logged: method, route, status, milliseconds, bytes, request id, tenant, principal, address.',
  }),
  plugins: list('PLUGINS', {
    section: SERVICE,
    description:
      'Comma-separated names of installed packages that become part of the service: modules, adapters, tables. Their code runs with the rights of the service and is never downloaded.',
  }),
  docs: oneOf('DOCS', ['on', 'off'], 'on', {
    section: SERVICE,
    description: 'Whether the OpenAPI description and Swagger UI are served.',
  }),
  console: oneOf('CONSOLE', ['on', 'off'], 'on', {
    section: SERVICE,
    description: 'Whether the console, the pages for people, is served at `/`. When off, `/` leads to `/docs`.',
  }),
  corsOrigins: networkNames('CORS_ORIGINS', ORIGINS, {
    section: SERVICE,
    description: 'Comma-separated origins whose pages may call the service. *: any origin. Empty: none.',
  }),
  trustProxy: networkNames('TRUST_PROXY', PROXIES, {
    section: SERVICE,
    description:
      'Comma-separated addresses or networks of proxies whose X-Forwarded-* headers are trusted. true: any address.',
  }),
  metricsPort: integer(
    'METRICS_PORT',
    0,
    { min: 0, max: 65535 },
    {
      section: SERVICE,
      description:
        'Port on HOST that serves GET /metrics for Prometheus, and GET /api/v1/health, without a credential; 0: none.',
    },
  ),
  metricsToken: optionalText('METRICS_TOKEN', {
    section: SERVICE,
    secret: true,
    description:
      'Bearer token, 16 characters or more, that may read GET /api/v1/metrics beside accounts with platform:tenants.',
  }),
  ...READINESS_SETTINGS,
  ...SHUTDOWN_SETTINGS,

  bootstrapTenantName: text('BOOTSTRAP_TENANT_NAME', 'Default', {
    section: AUTH,
    description: 'Name of the tenant that the first start creates.',
  }),
  bootstrapAdminEmail: text('BOOTSTRAP_ADMIN_EMAIL', 'admin@example.com', {
    section: AUTH,
    description: 'E-mail address of the administrator that the first start creates.',
  }),
  bootstrapAdminPassword: optionalText('BOOTSTRAP_ADMIN_PASSWORD', {
    section: AUTH,
    secret: true,
    description:
      'Password of the administrator that the first start creates, 8 to 128 characters and hard to guess; checked when the account is created. Empty: a password is generated and printed once.',
  }),
  authJwtKey: optionalText('AUTH_JWT_KEY', {
    section: AUTH,
    secret: true,
    description:
      'Key that signs access tokens: 32 characters or more (HS256) or an Ed25519 private key in PEM (EdDSA). Required with DATABASE_URL; otherwise a generated key is kept in DATA_DIR.',
  }),
  authJwtFormerKeys: list('AUTH_JWT_FORMER_KEYS', {
    section: AUTH,
    secret: true,
    description:
      'Comma-separated former values of AUTH_JWT_KEY, or Ed25519 public keys in PEM, that still verify access tokens until these expire.',
  }),
  ...OIDC_SETTINGS,
  accessTokenSeconds: integer(
    'AUTH_ACCESS_TOKEN_SECONDS',
    3600,
    { min: 1, max: 86400 },
    {
      section: AUTH,
      description: 'Lifetime of an access token in seconds.',
    },
  ),
  refreshTokenSeconds: integer(
    'AUTH_REFRESH_TOKEN_SECONDS',
    2592000,
    { min: 60, max: 31536000 },
    {
      section: AUTH,
      description: 'Lifetime of a refresh token in seconds.',
    },
  ),

  databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:'], {
    section: DATA,
    secret: true,
    description:
      'URL of PostgreSQL 15 or newer with the login of the application. Empty: the embedded PostgreSQL 18 under DATA_DIR.',
  }),
  databaseMigrationUrl: url('DATABASE_MIGRATION_URL', ['postgres:', 'postgresql:'], {
    section: DATA,
    secret: true,
    description: 'URL of the same database with the login that owns the tables. Empty: DATABASE_URL.',
  }),
  databaseRolePrefix: text('DATABASE_ROLE_PREFIX', 'kb', {
    section: DATA,
    description:
      'Prefix of the two PostgreSQL roles that the service works under, where several installations share a cluster.',
  }),
  databasePoolSize: integer(
    'DATABASE_POOL_SIZE',
    16,
    { min: 4, max: 200 },
    {
      section: DATA,
      description: 'Maximum number of database connections of one process for its queries.',
    },
  ),
  redisUrl: url('REDIS_URL', ['redis:', 'rediss:'], {
    section: DATA,
    secret: true,
    description: 'URL of Redis for queue and cache. Empty: the queue is in PostgreSQL, the cache in memory.',
  }),

  formerVectorsDays: integer(
    'FORMER_VECTORS_DAYS',
    7,
    { min: 0, max: 3650 },
    {
      section: MODELS,
      description:
        'Days for which the vectors from before a re-embedding are kept, so that it can be undone; checked at every reconciliation.',
    },
  ),

  ...CHAT_SETTINGS,
  ...MODEL_CALL_SETTINGS,

  ...INGESTION_SETTINGS,
  ...RETENTION_SETTINGS,

  ...EVENT_SETTINGS,
  ...AUDIT_SETTINGS,

  rateLimits: oneOf('RATE_LIMITS', ['on', 'off'], 'on', {
    section: LIMITS,
    description: 'Whether rate limits are enforced; GET /limits shows them.',
  }),
  ...RATE_LIMIT_SETTINGS,
  refusedCredentialsPerMinute: integer(
    'RATE_LIMIT_REFUSED_CREDENTIALS',
    60,
    { min: 1, max: 1_000_000 },
    {
      section: LIMITS,
      description:
        'Maximum number of refused credentials of one network (an IPv4 address, an IPv6 /64) in a minute; after it, credentials that were not accepted recently are answered 429.',
    },
  ),
  searchCacheMegabytes: integer(
    'SEARCH_CACHE_MB',
    0,
    { min: 16, max: 65536, orZero: true },
    {
      section: LIMITS,
      description:
        'Memory for searches, in MiB. Half is for the words of whole datasets, about 4 KiB per chunk, which are then ranked exactly; the same amount of disk space keeps them for the next start. A fifth is for vectors, one byte per dimension, the rest for single chunks. 0: an eighth of the memory there is, 128 to 2048.',
    },
  ),
  vectorSearch: oneOf('VECTOR_SEARCH', ['auto', 'store', 'memory'], 'auto', {
    section: LIMITS,
    description:
      'Where vectors are compared. memory: in this process, exactly, as far as SEARCH_CACHE_MB has room. store: in the vector store. auto: in memory for datasets of up to 50,000 chunks with the embedded store, otherwise in the store. The results are the same for datasets of up to 50,000 chunks (10,000 in a search engine).',
  }),
  maxUploadBytes: integer(
    'MAX_UPLOAD_BYTES',
    512 * MIB,
    { min: 1, max: 1024 * 1024 * MIB },
    {
      section: LIMITS,
      description: 'Maximum size of an uploaded file, in bytes.',
    },
  ),
  ...STORAGE_SETTINGS,
  ...REQUEST_SETTINGS,
  ...WEBHOOK_SETTINGS,
} as const satisfies Record<string, Setting<unknown>>;
type Definitions = typeof SETTINGS;

/** The settings in force, checked. */
export type SettingsValues = {
  readonly [K in keyof Definitions]: Definitions[K] extends Setting<infer T> ? T : never;
} & {
  /** The adapter that each port is filled with. */
  readonly [K in keyof AdapterPorts]: string;
} & {
  /** The settings of all adapters. */
  readonly adapterValues: AdapterValues;
  /** The models of MODELS_FILE. */
  readonly furtherModels: readonly FurtherModel[];
};
