import type { FastifyInstance } from 'fastify';
import type { FieldProblem } from '#libs/common';
import { RouteFact } from '#libs/tenancy';
import { httpErrors } from './http.errors.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Another service writes the query and may add parameters of its own. */
    takesForeignQuery?: boolean;
  }
}

/** A route that reads the parameters that it knows, however the others are written. */
export const TakesForeignQuery = (): MethodDecorator & ClassDecorator => RouteFact('takesForeignQuery', true);

/**
 * Refuses a query with a `%` that does not begin a character in UTF-8. Read as it is, it would ask for another thing
 * than what was meant. `prefix` begins the paths that this is about.
 */
export function refuseBrokenQueries(fastify: FastifyInstance, prefix: string): void {
  fastify.addHook('preParsing', async ({ url, routeOptions }) => {
    const begin = url.indexOf('?') + 1;
    if (begin === 0 || !url.startsWith(prefix) || routeOptions.config.takesForeignQuery === true) return;
    requireSoundEscapes(url.slice(begin));
  });
}

/** @throws `http.malformed_request` with the fields of a query, or of a form that is written like one, that cannot be decoded. */
export function requireSoundEscapes(encoded: string): void {
  if (!encoded.includes('%')) return;
  const errors = encoded.split('&').flatMap((pair) => findBrokenEscape(pair) ?? []);
  if (errors.length === 0) return;
  const reason = `${errors[0]!.pointer.slice(1) || 'a name'} holds ${BROKEN}`;
  throw httpErrors.malformed_request({ reason }, { errors });
}

const BROKEN = 'a "%" that does not begin a character in UTF-8; write a percent sign as "%25"';

function findBrokenEscape(pair: string): FieldProblem | undefined {
  const [name = '', value = ''] = pair.split(/=(.*)/s, 2);
  const decoded = decode(name);
  const pointer = decoded === undefined ? '' : `/${decoded.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  if (decoded !== undefined && decode(value) !== undefined) return undefined;
  const detail = `${decoded === undefined ? 'a name' : 'its value'} holds ${BROKEN}`;
  return { pointer, code: 'percent_escape', detail };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
