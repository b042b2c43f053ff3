import type { FastifyInstance } from 'fastify';
import { httpErrors } from './http.errors.js';

interface Segment {
  readonly literals: Map<string, Segment>;
  parameter: Segment | undefined;
  /** Methods of the route that ends here. */
  readonly methods: Set<string>;
  /** Methods of a route that takes every path which begins so. */
  readonly rest: Set<string>;
}

const ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Paths and their methods. The router looks up each method by itself, so `DELETE /documents/upload` would reach `DELETE /documents/{id}`; here a
 * path belongs to exactly one route, the one with the most literal segments.
 */
export class RouteTable {
  private readonly root = makeSegment();

  /** `path` as routers write it: `/documents/:id`, `/docs/*`. */
  add(path: string, methods: readonly string[]): void {
    let at = this.root;
    for (const part of partsOf(path)) {
      if (part === '*') {
        for (const method of methods) at.rest.add(method);
        return;
      }
      at = part.startsWith(':') ? (at.parameter ??= makeSegment()) : childOf(at.literals, part);
    }
    for (const method of methods) at.methods.add(method);
  }

  /** Methods of the route that a path, as it was sent, belongs to; undefined where there is none. */
  methodsOf(path: string): readonly string[] | undefined {
    const found = find(this.root, partsOf(path), 0);
    return found && ORDER.filter((method) => found.has(method));
  }
}

/** Refuses methods that a path does not have with 405, before anything else of a request is checked. */
export function refuseOtherMethods(fastify: FastifyInstance): void {
  const table = new RouteTable();
  fastify.addHook('onRoute', ({ url, method }) => {
    table.add(url, [method].flat());
  });
  fastify.addHook('onRequest', async ({ method, url }) => {
    const path = url.split('?', 1)[0] ?? url;
    const methods = table.methodsOf(path);
    if (methods === undefined || methods.includes(method)) return;
    const allowed = methods.join(', ');
    throw httpErrors.method_not_allowed({ method, path, allowed }, { headers: { Allow: allowed } });
  });
}

function makeSegment(): Segment {
  return { literals: new Map(), parameter: undefined, methods: new Set(), rest: new Set() };
}

function childOf(literals: Map<string, Segment>, name: string): Segment {
  const known = literals.get(name);
  if (known !== undefined) return known;
  const made = makeSegment();
  literals.set(name, made);
  return made;
}

/** A trailing slash makes no difference. */
function partsOf(path: string): string[] {
  const parts = path.split('/').slice(1);
  if (parts.at(-1) === '') parts.pop();
  return parts;
}

/** Written-out names first, so that `/documents/upload` is no `/documents/:id`. */
function find(segment: Segment, parts: readonly string[], index: number): ReadonlySet<string> | undefined {
  const part = parts[index];
  if (part === undefined) return segment.methods.size > 0 ? segment.methods : nonEmpty(segment.rest);
  const literal = segment.literals.get(part);
  const named = literal && find(literal, parts, index + 1);
  if (named !== undefined) return named;
  const parameter = part === '' ? undefined : segment.parameter && find(segment.parameter, parts, index + 1);
  return parameter ?? nonEmpty(segment.rest);
}

function nonEmpty(methods: ReadonlySet<string>): ReadonlySet<string> | undefined {
  return methods.size > 0 ? methods : undefined;
}
