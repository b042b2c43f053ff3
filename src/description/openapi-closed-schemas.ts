import type { OpenAPIObject } from '@nestjs/swagger';

type Node = Record<string, unknown>;

const REFERENCE = '#/components/schemas/';

/**
 * Fields that a request's schema does not name are refused (422), and the description says so. Two kinds of schemas stay open: those that
 * answers use too, and those that only bodies with `x-unknown-fields` use, which ignore unknown fields.
 */
export function closeRequestSchemas(document: OpenAPIObject): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Node>;
  const closed = new Set<string>();
  const open = new Set<string>();
  for (const operation of operationsOf(document)) {
    if (!('x-unknown-fields' in operation)) collect(operation['requestBody'], schemas, closed);
    collect(operation['responses'], schemas, open);
  }
  for (const name of closed) {
    const schema = schemas[name];
    if (schema?.['type'] === 'object' && !open.has(name)) schema['additionalProperties'] ??= false;
  }
}

function operationsOf(document: OpenAPIObject): Node[] {
  return Object.values(document.paths).flatMap((item) =>
    Object.values(item as Node).filter((inner): inner is Node => typeof inner === 'object' && inner !== null),
  );
}

/** Adds the names of all schemas that the value refers to, at any depth. */
function collect(value: unknown, schemas: Readonly<Record<string, Node>>, into: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value as Node)) {
    if (key === '$ref' && typeof inner === 'string' && inner.startsWith(REFERENCE)) {
      const name = inner.slice(REFERENCE.length);
      if (into.has(name)) continue;
      into.add(name);
      collect(schemas[name], schemas, into);
    } else {
      collect(inner, schemas, into);
    }
  }
}
