import {
  applyDecorators,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ApiExtension } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { RouteFact } from '#libs/tenancy';
import { unknownParameters, validationFailed } from './validation.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Parameters that the route does not know are not refused. */
    ignoresUnknownParameters?: boolean;
  }
}

/** Extension of an operation in the description: `ignored` where parameters that it does not know are not refused. */
export const UNKNOWN_PARAMETERS_EXTENSION = 'x-unknown-parameters';

/** Marks a route for clients or probes of other products, which may send parameters of their own. */
export const IgnoresUnknownParameters = (): MethodDecorator & ClassDecorator =>
  applyDecorators(RouteFact('ignoresUnknownParameters', true), ApiExtension(UNKNOWN_PARAMETERS_EXTENSION, 'ignored'));

/** Where `@nestjs/swagger`, whose door does not give the name out, keeps what `@ApiQuery` says. */
const DESCRIBED = 'swagger/apiParameters';

/**
 * Refuses query parameters that the route does not declare, for every method, with `http.validation_failed`. A route with a DTO for its query
 * leaves that to the validation, which also reports invalid values. A route that takes the whole query as it is, or has
 * `@IgnoresUnknownParameters()`, refuses none.
 */
@Injectable()
export class QueryParametersInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { query, routeOptions } = context.switchToHttp().getRequest<FastifyRequest>();
    const sent = Object.keys(query as object);
    if (sent.length === 0 || routeOptions.config.ignoresUnknownParameters === true) return next.handle();
    const declared = declaredParameters(context);
    const unknown = declared === 'all' ? [] : unknownParameters(sent, declared);
    if (unknown.length > 0) throw validationFailed(unknown);
    return next.handle();
  }
}

/** Names of `@Query('name')` and `@ApiQuery()`; `all` where an argument takes the whole query. */
function declaredParameters(context: ExecutionContext): readonly string[] | 'all' {
  const [controller, handler] = [context.getClass(), context.getHandler()];
  const given = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler.name) ?? {}) as Readonly<
    Record<string, { readonly data?: unknown }>
  >;
  const ofQuery = Object.entries(given).filter(([key]) => key.startsWith(`${RouteParamtypes.QUERY}:`));
  const named = ofQuery.map(([, { data }]) => data);
  if (!named.every((name) => typeof name === 'string')) return 'all';
  const described = [controller, handler].flatMap(
    (target) => (Reflect.getMetadata(DESCRIBED, target) ?? []) as readonly { in?: string; name?: string }[],
  );
  return [...named, ...described.flatMap(({ in: place, name }) => (place === 'query' && name ? [name] : []))];
}
