import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { RequestMethod, type INestApplicationContext } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { accessOf } from '#libs/tenancy';
import { StartRefused } from './start-refused.js';

/** Where `@nestjs/swagger`, whose door does not give the names out, keeps what `@ApiOperation` and `@ApiExclude…` say. */
const OPERATION = 'swagger/apiOperation';
const EXCLUDED = ['swagger/apiExcludeEndpoint', 'swagger/apiExcludeController'] as const;

interface Route {
  /** `ThingsController.get` */
  readonly name: string;
  readonly handler: (...given: never[]) => unknown;
  /** `GET /things/:id`, each of them where it has several. */
  readonly addresses: readonly string[];
  /** Null where the description leaves the route out. */
  readonly operationId: string | null;
}

/** The operation id of a route that names none. */
export function operationIdOf(controller: string, method: string): string {
  return `${controller.replace(/Controller$/, '')}_${method}`;
}

/**
 * Looks at the routes of every controller, those of plugins too.
 * @throws StartRefused with a sentence for each route that says neither `@Permit` nor `@Public`, and for each operation id or
 * address that several routes have
 */
export function refuseUnsoundRoutes(app: INestApplicationContext): void {
  const routes = routesOf(app);
  const problems = [...findUnguarded(routes), ...findSharedIds(routes), ...findSharedAddresses(routes)];
  if (problems.length > 0) throw new StartRefused(`The routes cannot be served:\n${problems.join('\n')}`);
}

function routesOf(app: INestApplicationContext): Route[] {
  const scanner = new MetadataScanner();
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [...module.controllers.values()]);
  return controllers.flatMap(({ metatype }) => {
    const { name: controller, prototype } = metatype as { name: string; prototype: Record<string, Route['handler']> };
    return scanner.getAllMethodNames(prototype).flatMap((method): Route[] => {
      const handler = prototype[method]!;
      if (!Reflect.hasMetadata(PATH_METADATA, handler)) return [];
      const isExcluded = EXCLUDED.some((key) => isDisabled(key, handler) || isDisabled(key, metatype as object));
      const { operationId } = (Reflect.getMetadata(OPERATION, handler) ?? {}) as { operationId?: string };
      const described = isExcluded ? null : (operationId ?? operationIdOf(controller, method));
      const addresses = addressesOf(metatype as object, handler);
      return [{ name: `${controller}.${method}`, handler, addresses, operationId: described }];
    });
  });
}

/** Names of parameters do not tell addresses apart. */
function addressesOf(controller: object, handler: Route['handler']): readonly string[] {
  const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
  const paths = (target: object): string[] => [Reflect.getMetadata(PATH_METADATA, target) as string | string[]].flat();
  return paths(controller).flatMap((before) =>
    paths(handler).map((after) => {
      const parts = `${before}/${after}`.split('/').filter((part) => part !== '');
      return `${method} /${parts.map((part) => (part.startsWith(':') ? ':' : part)).join('/')}`;
    }),
  );
}

function isDisabled(key: string, target: object): boolean {
  const said = Reflect.getMetadata(key, target) as { disable?: boolean } | readonly { disable?: boolean }[] | undefined;
  return [said ?? []].flat().some(({ disable }) => disable === true);
}

function findUnguarded(routes: readonly Route[]): string[] {
  return routes
    .filter(({ handler }) => accessOf(handler) === undefined)
    .map(({ name }) => `  - ${name} says for whom it is neither by @Permit nor by @Public; add one of them.`);
}

function findSharedIds(routes: readonly Route[]): string[] {
  const byId = Map.groupBy(
    routes.filter(({ operationId }) => operationId !== null),
    ({ operationId }) => operationId,
  );
  return [...byId]
    .filter(([, same]) => same.length > 1)
    .map(([id, same]) => {
      const names = same.map(({ name }) => name).join(' and ');
      return `  - The operation id "${id}" is on ${names}; give each an id of its own by @ApiOperation({ operationId }).`;
    });
}

function findSharedAddresses(routes: readonly Route[]): string[] {
  const all = routes.flatMap(({ name, addresses }) => addresses.map((address) => ({ name, address })));
  return [...Map.groupBy(all, ({ address }) => address)]
    .filter(([, same]) => same.length > 1)
    .map(([address, same]) => {
      const names = same.map(({ name }) => name).join(' and ');
      return `  - ${address} is served by ${names}; give each a path of its own.`;
    });
}
