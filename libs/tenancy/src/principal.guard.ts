import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { isUuid, NOWHERE_TENANT, type TenantId } from '#libs/common';
import type { AuthenticatedAccount, AuthenticatedApiKey } from './authenticator.port.js';
import { AccessTokenGuard, ApiKeyGuard, type CredentialRequest } from './credential-strategies.js';
import { intersectPermissions, ROLE_PERMISSIONS } from './permissions.js';
import type { Permission, Principal, RequestContext } from './request-context.js';
import {
  PUBLIC_ROUTE,
  ROUTE_ACCESS,
  type ContextRequest,
  type OutsiderAnswer,
  type RouteAccess,
} from './route-access.js';
import { authErrors } from './tenancy.errors.js';

type PresentCredential = { readonly kind: 'access token' | 'API key'; readonly value: string };

interface Standing {
  readonly principal: Principal;
  readonly tenantId: TenantId;
  /** False for a caller who named a tenant it does not belong to. */
  readonly member: boolean;
}

/**
 * The one guard. The strongest credential that is present decides, and its failure is final:
 * access token, then API key; a tenant header alone is none (contract, section 2).
 */
@Injectable()
export class PrincipalGuard implements CanActivate {
  private readonly accessTokens = new AccessTokenGuard();
  private readonly apiKeys = new ApiKeyGuard();

  constructor(private readonly reflector: Reflector) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.getAllAndOverride<boolean>(PUBLIC_ROUTE, [context.getHandler(), context.getClass()]))
      return true;
    const access = this.reflector.getAllAndOverride<RouteAccess | undefined>(ROUTE_ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (access === undefined) throw new Error(`Route ${context.getHandler().name} names no permission.`);
    const request = context.switchToHttp().getRequest<ContextRequest & CredentialRequest>();
    const standing = await this.identify(context, request, access);
    request.kbContext = authorise(standing, access, request);
    return true;
  }

  private async identify(
    context: ExecutionContext,
    request: CredentialRequest,
    access: RouteAccess,
  ): Promise<Standing> {
    const credential = strongestCredential(request);
    if (credential === null) throw authErrors.credential_missing();
    request.kbCredential = credential.value;
    const guard = credential.kind === 'access token' ? this.accessTokens : this.apiKeys;
    await guard.canActivate(context);
    const found = request.user as AuthenticatedAccount | AuthenticatedApiKey | null;
    if (!found) throw authErrors.credential_invalid({ kind: credential.kind });
    const named = headerOf(request, 'x-tenant-id') ?? tenantOfPath(request, access);
    return 'keyId' in found ? standingOfKey(found, named) : standingOfAccount(found, named);
  }
}

function headerOf(request: CredentialRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}

function tenantOfPath(request: CredentialRequest, access: RouteAccess): string | undefined {
  if (access.tenantParameter === undefined) return undefined;
  return (request.params as Readonly<Record<string, string>>)[access.tenantParameter];
}

function strongestCredential(request: CredentialRequest): PresentCredential | null {
  const authorization = headerOf(request, 'authorization');
  if (authorization !== undefined) {
    const value = /^bearer +(.*)$/i.exec(authorization)?.[1]?.trim() ?? '';
    return { kind: value.startsWith('kb_') ? 'API key' : 'access token', value };
  }
  const key = headerOf(request, 'x-api-key');
  return key === undefined ? null : { kind: 'API key', value: key.trim() };
}

function standingOfAccount(account: AuthenticatedAccount, named: string | undefined): Standing {
  const wanted = named?.trim().toLowerCase() ?? account.defaultTenantId ?? undefined;
  const membership = account.memberships.find((m) => m.tenantId === wanted);
  const fallback = named === undefined ? account.memberships[0] : undefined;
  const chosen = membership ?? fallback;
  const permissions = new Set<Permission>(chosen ? ROLE_PERMISSIONS[chosen.role] : []);
  if (account.platformAdmin) permissions.add('platform:tenants');
  const principal: Principal = {
    kind: 'account',
    accountId: account.accountId,
    role: chosen?.role ?? null,
    permissions,
  };
  return { principal, tenantId: chosen?.tenantId ?? NOWHERE_TENANT, member: chosen !== undefined };
}

function standingOfKey(key: AuthenticatedApiKey, named: string | undefined): Standing {
  const matches = named === undefined || (isUuid(named.trim()) && named.trim().toLowerCase() === key.tenantId);
  const member = matches && key.accountRole !== null;
  const permissions =
    member && key.accountRole !== null
      ? intersectPermissions(key.accountRole, key.keyRole, key.scopes)
      : new Set<Permission>();
  const principal: Principal = {
    kind: 'api_key',
    keyId: key.keyId,
    accountId: key.accountId,
    role: member ? key.accountRole : null,
    permissions,
    datasetIds: key.datasetIds,
  };
  return { principal, tenantId: member ? key.tenantId : NOWHERE_TENANT, member };
}

function authorise(standing: Standing, access: RouteAccess, request: ContextRequest): RequestContext {
  const { principal } = standing;
  const ctx: RequestContext = { tenantId: standing.tenantId, principal, requestId: String(request.id) };
  if (access.accountOnly && principal.kind !== 'account') throw authErrors.account_required({});
  if (access.permission === null) return ctx;
  if (!standing.member && access.permission !== 'platform:tenants') return answerOutsider(ctx, access, request);
  if (principal.permissions.has(access.permission)) return ctx;
  if (access.emptyWithoutPermission) return { ...ctx, tenantId: NOWHERE_TENANT };
  throw authErrors.permission_missing({ permission: access.permission });
}

/** An outsider looks into a tenant that holds nothing: lists are empty, objects are not found; creating is refused. */
function answerOutsider(ctx: RequestContext, access: RouteAccess, request: ContextRequest): RequestContext {
  if ((access.outsider ?? inferOutsiderAnswer(request)) === 'forbidden') throw authErrors.not_a_member({});
  return ctx;
}

function inferOutsiderAnswer(request: ContextRequest): OutsiderAnswer {
  const parameters = Object.keys(request.params ?? {});
  if (parameters.length > 0) return 'not_found';
  return request.method === 'GET' || request.method === 'HEAD' ? 'empty' : 'forbidden';
}
