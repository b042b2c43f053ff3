import type { Caller } from './callers.js';
import type { Operation } from './operations.js';
import type { Subject } from './request-recipe.js';

export interface ExpectedAnswer {
  /** `success`: any 2xx. */
  readonly status: 'success' | 401 | 403 | 404;
  /** A list without any item. */
  readonly isEmpty?: boolean;
  /** Counts of nothing. */
  readonly isNone?: boolean;
  /** The document of a `bulk` request is rejected like one that does not exist. */
  readonly isRejected?: boolean;
}

interface Exception extends ExpectedAnswer {
  readonly operation: string;
  readonly callers: readonly string[];
  readonly because: string;
}

/** Whether the caller must not have changed anything. */
export function isRefusal({ status, isRejected }: ExpectedAnswer): boolean {
  return status !== 'success' || isRejected === true;
}

const SUCCESS: ExpectedAnswer = { status: 'success' };
const EMPTY: ExpectedAnswer = { status: 'success', isEmpty: true };
const NONE: ExpectedAnswer = { status: 'success', isNone: true };
const REJECTED: ExpectedAnswer = { status: 'success', isRejected: true };

/** Where the contract says otherwise than the rule. Each entry is used, or the matrix fails. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    operation: 'GET /datasets/',
    callers: ['an API key without scopes'],
    ...EMPTY,
    because: 'the dataset list never answers 403: who may not read gets an empty one',
  },
  {
    operation: 'POST /datasets/',
    callers: ['an API key for another dataset'],
    status: 403,
    because: 'a key for certain datasets would not see the one that it makes',
  },
  {
    operation: 'POST /documents/upload',
    callers: ['a removed account', 'the owner in another tenant', "the owner's API key in another tenant"],
    status: 403,
    because: 'it creates: an outsider is refused before the dataset of the form is looked at',
  },
  {
    operation: 'POST /documents/batch/upload',
    callers: ['a removed account', 'the owner in another tenant', "the owner's API key in another tenant"],
    status: 403,
    because: 'it creates: an outsider is refused before the dataset of the form is looked at',
  },
  {
    operation: 'GET /governance/audit-log/verify',
    callers: ['a removed account', 'the owner in another tenant', "the owner's API key in another tenant"],
    status: 404,
    because:
      'each tenant has one log: its own is checked for whoever may, that of a tenant without the caller is absent',
  },
  {
    operation: 'GET /auth/me',
    callers: ['the owner in another tenant', "the owner's API key in another tenant"],
    status: 404,
    because: 'the tenant that the header names is a single resource, and not one of the caller',
  },
  ...['GET /requests/{request_id}', 'POST /requests/{request_id}/replay', 'POST /requests/{request_id}/feedback'].map(
    (operation) => ({
      operation,
      callers: ['an API key for another dataset'],
      status: 404 as const,
      because: 'an API key finds its own requests only, not those of its account',
    }),
  ),
  ...[
    'GET /conversations/{conversation_id}',
    'PATCH /conversations/{conversation_id}',
    'DELETE /conversations/{conversation_id}',
    'POST /conversations/{conversation_id}/turns/{turn_id}/share',
    'DELETE /conversations/{conversation_id}/turns/{turn_id}/share',
  ].map((operation) => ({
    operation,
    callers: ['an API key for another dataset'],
    status: 404 as const,
    because: 'an API key has conversations of its own, and does not find those of its account',
  })),
  ...['rotate-secret', 'test', 'deliveries/{delivery_id}/redeliver'].map((action) => ({
    operation: `POST /webhooks/{id}/${action}`,
    callers: ['an API key for another dataset'],
    status: 403 as const,
    because: 'the webhook is told of more datasets than the key may touch',
  })),
  ...['POST /auth/invitations/accept', 'POST /auth/invitations/{id}/decline'].map((operation) => ({
    operation,
    callers: ['the owner in another tenant'],
    ...SUCCESS,
    because: 'an invitation is for an account, whatever tenant it acts in',
  })),
  {
    operation: 'DELETE /auth/sessions/{id}',
    callers: ['the owner in another tenant'],
    ...SUCCESS,
    because: 'a session is of an account, whatever tenant it acts in',
  },
  {
    operation: 'GET /health/details',
    callers: ['the owner in another tenant', 'a removed account'],
    status: 403,
    because: 'without tenant:observability in the tenant that the caller acts in it is 403',
  },
];

/** The exception that holds for this cell. */
export function exceptionFor(operation: string, caller: string): Exception | undefined {
  return EXCEPTIONS.find((entry) => entry.operation === operation && entry.callers.includes(caller));
}

/** What the contract (section 2) promises to a caller who is not the owner. */
export function expectedAnswer(operation: Operation, subject: Subject, caller: Caller): ExpectedAnswer {
  if (operation.isPublic) return SUCCESS;
  if (!caller.isKnown) return { status: 401 };
  if (operation.accountOnly && caller.kind === 'api_key') return { status: 403 };
  const exception = exceptionFor(operation.name, caller.name);
  if (exception !== undefined) return exception;
  const needsTenant = operation.permission !== 'any' && operation.permission !== 'platform:tenants';
  if (needsTenant && caller.place === 'nowhere') return answerOutsider(subject);
  if (operation.permission !== 'any' && !caller.permissions.includes(operation.permission)) return { status: 403 };
  return answerKnown(subject, caller);
}

/** An empty list, 404 on single resources, 403 on creates. */
function answerOutsider(subject: Subject): ExpectedAnswer {
  switch (subject) {
    case 'list':
      return EMPTY;
    case 'count':
      return NONE;
    case 'bulk':
      return REJECTED;
    case 'create':
      return { status: 403 };
    case 'dataset':
    case 'tenant':
    case 'own':
      return { status: 404 };
    case 'self':
    case 'service':
      return SUCCESS;
  }
}

/** A caller who holds the permission in a tenant that it belongs to. */
function answerKnown(subject: Subject, caller: Caller): ExpectedAnswer {
  switch (subject) {
    case 'dataset':
      return { status: 404 };
    case 'bulk':
      return REJECTED;
    case 'own':
      return caller.isOwner && caller.place === 'home' ? SUCCESS : { status: 404 };
    case 'tenant':
      return caller.place === 'home' ? SUCCESS : { status: 404 };
    case 'create':
      return caller.place === 'nowhere' ? { status: 403 } : SUCCESS;
    case 'list':
    case 'count':
    case 'self':
    case 'service':
      return SUCCESS;
  }
}
