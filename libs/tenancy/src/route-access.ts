import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiBearerAuth, ApiExtension, ApiSecurity } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { IdentifiedRequest } from './credential-resolver.js';
import type { Permission, RequestContext } from './request-context.js';
import { factsOf, RouteFact } from './route-config.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route; absent on what is no route of a controller. */
    access?: RouteAccess | 'public';
  }
}

/** How a route answers a caller who named a tenant it does not belong to. */
export type OutsiderAnswer = 'empty' | 'not_found' | 'forbidden';

export interface RouteAccess {
  /** null: any valid credential. */
  readonly permission: Permission | null;
  /** `empty` and `not_found` let the route look into a tenant that holds nothing; `forbidden` is 403. */
  readonly outsider?: OutsiderAnswer;
  /** An API key is refused with 403. */
  readonly accountOnly?: boolean;
  /** Path parameter that names the tenant to act in, where no header does. */
  readonly tenantParameter?: string;
  /** A request without any credential passes too, without a context; one that is there must be good. */
  readonly anonymous?: boolean;
  /** A caller without the permission gets the answer of a tenant that holds nothing instead of 403. */
  readonly emptyWithoutPermission?: boolean;
}

/** No credential is asked for. */
export const Public = (): MethodDecorator & ClassDecorator => RouteFact('access', 'public');

/** Names the permission that a route needs and documents it. A route that has neither this nor `@Public` answers no one. */
export function Permit(
  permission: Permission | null,
  options: Omit<RouteAccess, 'permission'> = {},
): MethodDecorator & ClassDecorator {
  const access: RouteAccess = { permission, ...options };
  const schemes = options.accountOnly ? [ApiBearerAuth('jwt')] : [ApiBearerAuth('jwt'), ApiSecurity('api_key')];
  return applyDecorators(
    RouteFact('access', access),
    ApiExtension('x-permission', permission ?? 'any'),
    ...schemes,
    ...(options.anonymous ? [ApiSecurity({})] : []),
  );
}

/** What `Permit` or `Public` says of a method of a controller, or of its class; undefined: nothing. */
export function accessOf(method: (...given: never[]) => unknown): RouteAccess | 'public' | undefined {
  return factsOf(method).access;
}

/** A request after the guard. */
export type ContextRequest = FastifyRequest & { kbContext?: RequestContext };

/** The context of the request, or undefined without a credential, on a route that is open to both. */
export const OptionalCtx = createParamDecorator(
  (_data: unknown, context: ExecutionContext): RequestContext | undefined =>
    context.switchToHttp().getRequest<ContextRequest>().kbContext,
);

/** The session that the request's access token belongs to; undefined where it names none, and for an API key. */
export const FromSession = createParamDecorator((_data: unknown, context: ExecutionContext): string | undefined => {
  const { kbIdentity } = context.switchToHttp().getRequest<IdentifiedRequest>();
  return kbIdentity !== undefined && 'sessionId' in kbIdentity ? kbIdentity.sessionId : undefined;
});

/** The context of the request as a parameter of a controller method. */
export const Ctx = createParamDecorator((_data: unknown, context: ExecutionContext): RequestContext => {
  const ctx = context.switchToHttp().getRequest<ContextRequest>().kbContext;
  if (ctx === undefined) throw new Error('A public route has no context.');
  return ctx;
});
