import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { NOWHERE_TENANT } from '#libs/common';
import type { IdentifiedRequest } from './credential-resolver.js';
import type { RequestContext } from './request-context.js';
import type { ContextRequest, OutsiderAnswer, RouteAccess } from './route-access.js';
import { standingIn, type Standing } from './standing.js';
import { authErrors } from './tenancy.errors.js';

/** The one guard: decides what the caller may do, whom `CredentialResolver` has found before the body was read. */
@Injectable()
export class PrincipalGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<ContextRequest & IdentifiedRequest>();
    const { access } = request.routeOptions.config;
    if (access === 'public') return true;
    if (access === undefined) throw new Error(`Route ${context.getHandler().name} names no permission.`);
    if (access.anonymous && request.kbIdentity === undefined) return true;
    request.kbContext = authorise(standingOf(request, access), access, request);
    return true;
  }
}

function standingOf(request: IdentifiedRequest, access: RouteAccess): Standing {
  const { kbIdentity } = request;
  if (kbIdentity === undefined) throw new Error('The credential of the request has not been looked at.');
  const named = headerOf(request, 'x-tenant-id') ?? tenantOfPath(request, access);
  return standingIn(kbIdentity, named);
}

function headerOf(request: IdentifiedRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}

function tenantOfPath(request: IdentifiedRequest, access: RouteAccess): string | undefined {
  if (access.tenantParameter === undefined) return undefined;
  return (request.params as Readonly<Record<string, string>>)[access.tenantParameter];
}

function authorise(standing: Standing, access: RouteAccess, request: ContextRequest): RequestContext {
  const { principal } = standing;
  const ctx: RequestContext = {
    tenantId: standing.tenantId,
    principal,
    requestId: String(request.id),
    address: request.ip,
  };
  if (access.accountOnly && principal.kind !== 'account') throw authErrors.account_required({});
  if (access.permission === null) return ctx;
  if (!standing.member && access.permission !== 'platform:tenants') return answerOutsider(ctx, access, request);
  if (principal.permissions.has(access.permission)) return ctx;
  if (access.emptyWithoutPermission) return { ...ctx, tenantId: NOWHERE_TENANT };
  throw authErrors.permission_missing({ permission: access.permission, kind: principal.kind });
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
