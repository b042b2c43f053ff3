import { integer, type Setting } from './setting.js';

/** The classes of routes that are counted apart. */
export const RATE_LIMIT_CLASSES = ['search', 'chat', 'upload', 'login', 'default'] as const;
export type RateLimitClass = (typeof RATE_LIMIT_CLASSES)[number];

const MOST = 10_000_000;

const credential = (name: string, perMinute: number, what: string): Setting<number> =>
  integer(
    name,
    perMinute,
    { min: 0, max: MOST },
    {
      section: 'Limits',
      description: `Maximum number of ${what} in a minute by one account or API key, or from one address without either. 0: no limit.`,
    },
  );

const tenant = (name: string, perMinute: number, what: string): Setting<number> =>
  integer(
    name,
    perMinute,
    { min: 0, max: MOST },
    {
      section: 'Limits',
      description: `Maximum number of ${what} in a minute by all members and API keys of a tenant together. 0: no limit.`,
    },
  );

/** Two limits for each class of routes: of a credential, or of an address where there is none, and of a whole tenant. */
export const RATE_LIMIT_SETTINGS = {
  rateLimitSearch: credential('RATE_LIMIT_SEARCH', 120, 'searches'),
  rateLimitSearchTenant: tenant('RATE_LIMIT_SEARCH_TENANT', 1200, 'searches'),
  rateLimitChat: credential('RATE_LIMIT_CHAT', 30, 'chat completions'),
  rateLimitChatTenant: tenant('RATE_LIMIT_CHAT_TENANT', 300, 'chat completions'),
  rateLimitUpload: credential('RATE_LIMIT_UPLOAD', 60, 'uploads'),
  rateLimitUploadTenant: tenant('RATE_LIMIT_UPLOAD_TENANT', 600, 'uploads'),
  rateLimitLogin: credential('RATE_LIMIT_LOGIN', 20, 'logins and changes of password'),
  rateLimitLoginTenant: tenant('RATE_LIMIT_LOGIN_TENANT', 200, 'changes of password and accepted invitations'),
  rateLimitDefault: credential('RATE_LIMIT_DEFAULT', 300, 'other requests'),
  rateLimitDefaultTenant: tenant('RATE_LIMIT_DEFAULT_TENANT', 3000, 'other requests'),
} as const;

/** Requests in a minute; 0 means any number. */
export interface RateLimits {
  readonly credential: number;
  readonly tenant: number;
}

type Values = { readonly [K in keyof typeof RATE_LIMIT_SETTINGS]: number };

/** The limits in force of each class. */
export function rateLimitsOf(values: Values): Readonly<Record<RateLimitClass, RateLimits>> {
  return {
    search: { credential: values.rateLimitSearch, tenant: values.rateLimitSearchTenant },
    chat: { credential: values.rateLimitChat, tenant: values.rateLimitChatTenant },
    upload: { credential: values.rateLimitUpload, tenant: values.rateLimitUploadTenant },
    login: { credential: values.rateLimitLogin, tenant: values.rateLimitLoginTenant },
    default: { credential: values.rateLimitDefault, tenant: values.rateLimitDefaultTenant },
  };
}
