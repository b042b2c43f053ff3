import type { AccountId, ApiKeyId, DatasetId, TenantId } from '#libs/common';

/** A named right, `<area>:<verb>` (contract, section 2). */
export type Permission =
  | 'datasets:read'
  | 'datasets:write'
  | 'documents:read'
  | 'documents:write'
  | 'retrieval:search'
  | 'chat:complete'
  | 'tables:query'
  | 'policies:write'
  | 'scans:run'
  | 'kg:run'
  | 'evaluations:run'
  | 'governance:read'
  | 'governance:write'
  | 'audit:read'
  | 'webhooks:manage'
  | 'conversations:review'
  | 'members:manage'
  | 'tenant:observability'
  | 'tenant:manage'
  | 'platform:tenants';

export type Role = 'viewer' | 'editor' | 'auditor' | 'admin' | 'owner';

/** Who acts. The rights are those of this moment, read from the database at this request. */
export type Principal =
  | {
      readonly kind: 'account';
      readonly accountId: AccountId;
      readonly role: Role | null;
      readonly permissions: ReadonlySet<Permission>;
    }
  | {
      readonly kind: 'api_key';
      readonly keyId: ApiKeyId;
      readonly accountId: AccountId;
      readonly role: Role | null;
      readonly permissions: ReadonlySet<Permission>;
      /** The only datasets that the key may touch; null: all that its account sees. */
      readonly datasetIds: readonly DatasetId[] | null;
    }
  | { readonly kind: 'system'; readonly permissions: ReadonlySet<Permission> };

/** A transaction of the unit of work, opaque to everything but `libs/database`. */
export interface TransactionHandle {
  readonly __transaction: true;
}

/**
 * What an answer that takes long rests on beside the permission of its route. It is looked at again and again until the answer has
 * been sent; one that has lost it ends.
 */
export interface HeldAccess {
  /** `check` gets the context with the rights of that moment, and throws when they no longer suffice. One name represents one question. */
  require(name: string, check: (ctx: RequestContext) => Promise<unknown>): void;
}

/** First argument of every service and repository method: the tenant, who acts, which request, and the open transaction if there is one. */
export interface RequestContext {
  readonly tenantId: TenantId;
  readonly principal: Principal;
  readonly requestId: string;
  /** Network address of the caller; absent for what the service does by itself. */
  readonly address?: string;
  readonly tx?: TransactionHandle;
  /** There while an answer is watched over that takes long. */
  readonly held?: HeldAccess;
}
