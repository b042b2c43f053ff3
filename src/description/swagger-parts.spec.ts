import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { partOf, type Part } from './swagger-parts.js';

const description = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')) as Part;
const at = (part: unknown, path: readonly string[]): unknown =>
  path.reduce((inner, step) => (inner as Part | undefined)?.[step], part);

/** Every reference below `value`, with what it leads to in `part`. */
function referred(part: Part, value: unknown, found = new Map<string, unknown>()): Map<string, unknown> {
  if (value === null || typeof value !== 'object') return found;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '$ref' && !found.has(inner as string)) {
      const target = at(part, (inner as string).slice(2).split('/'));
      found.set(inner as string, target);
      referred(part, target, found);
    } else referred(part, inner, found);
  }
  return found;
}

describe('a part of the description', () => {
  it('is an operation with all that it refers to, and a fraction of the whole', () => {
    const size = JSON.stringify(description).length;
    const operations = Object.entries(description['paths'] as Record<string, Part>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ['paths', path, method]),
    );
    expect(operations.length).toBeGreaterThan(100);
    for (const path of operations) {
      const part = partOf(description, path);
      const operation = at(part, path);
      expect(operation, path.join(' ')).toBe(at(description, path));
      for (const [reference, target] of referred(part, operation)) {
        expect(target, `${path.join(' ')}: ${reference}`).toBe(at(description, reference.slice(2).split('/')));
      }
      expect(JSON.stringify(part).length, path.join(' ')).toBeLessThan(size / 4);
    }
  });

  it('keeps the version and what holds for all', () => {
    const { openapi, info, servers } = description;
    expect(partOf(description, ['components', 'securitySchemes'])).toEqual({
      openapi,
      info,
      servers,
      paths: {},
      components: { securitySchemes: at(description, ['components', 'securitySchemes']) },
    });
  });

  it('follows references to each other, to members of a schema, and to what is not there', () => {
    const whole = {
      openapi: '3.1.0',
      paths: {
        '/a/{id}': { get: { a: { $ref: '#/components/schemas/A' }, c: '#/components/x/c~1d', n: '#/nowhere/x' } },
      },
      components: {
        schemas: {
          A: { $ref: '#/components/schemas/B/properties/b' },
          B: { properties: { b: { $ref: '#/components/schemas/A' }, other: {} } },
          C: {},
        },
        x: { 'c/d': { $ref: '#/components/schemas/B' } },
      },
    };
    const { A, B } = whole.components.schemas;
    expect(partOf(whole, ['paths', '/a/{id}', 'get'])).toEqual({
      ...whole,
      components: { schemas: { A, B }, x: whole.components.x },
    });
  });
});
