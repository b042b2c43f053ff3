import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyContextConfig } from 'fastify';

const FACTS = Symbol('facts of the route');

type Method = (...given: never[]) => unknown;

/**
 * Notes a fact in Fastify's configuration of a route, `request.routeOptions.config`: hooks read it there before the body is
 * read and before any guard runs. On a class it holds for every method that does not note the fact itself.
 */
export function RouteFact<Name extends keyof FastifyContextConfig>(
  name: Name,
  value: FastifyContextConfig[Name],
): MethodDecorator & ClassDecorator {
  return (target: object, _key?: string | symbol, descriptor?: PropertyDescriptor): void => {
    if (descriptor !== undefined) note(descriptor.value as Method, { [name]: value });
    else
      for (const method of methodsOf(target as { prototype: object })) note(method, { [name]: value }, factsOf(method));
  };
}

function note(method: Method, facts: FastifyContextConfig, own: FastifyContextConfig = {}): void {
  const all = { ...factsOf(method), ...facts, ...own };
  Reflect.defineMetadata(FACTS, all, method);
  RouteConfig(all)(method, method.name, { value: method });
}

/** What is noted about a method of a controller. */
export function factsOf(method: Method): FastifyContextConfig {
  return (Reflect.getMetadata(FACTS, method) as FastifyContextConfig | undefined) ?? {};
}

function methodsOf({ prototype }: { prototype: object }): Method[] {
  return Object.values(Object.getOwnPropertyDescriptors(prototype))
    .map(({ value }) => value as unknown)
    .filter((value): value is Method => typeof value === 'function' && value !== prototype.constructor);
}
