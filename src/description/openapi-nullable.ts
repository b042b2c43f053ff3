import type { OpenAPIObject } from '@nestjs/swagger';

type Node = Record<string, unknown>;

/** OpenAPI 3.0's `nullable: true` as 3.1 writes it: `null` among the types, or an alternative beside a reference. */
export function toOpenApi31(document: OpenAPIObject): OpenAPIObject {
  return convert(document) as OpenAPIObject;
}

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert);
  if (value === null || typeof value !== 'object') return value;
  const node: Node = {};
  for (const [key, inner] of Object.entries(value as Node)) node[key] = convert(inner);
  return node['nullable'] === true ? withNull(node) : withoutNullable(node);
}

function withoutNullable(node: Node): Node {
  if (!('nullable' in node) || typeof node['nullable'] !== 'boolean') return node;
  const { nullable: _nullable, ...rest } = node;
  return rest;
}

function withNull(node: Node): Node {
  const rest = withoutNullable(node);
  if (typeof rest['type'] === 'string') {
    const type = [rest['type'], 'null'];
    return Array.isArray(rest['enum'])
      ? { ...rest, type, enum: [...(rest['enum'] as unknown[]), null] }
      : { ...rest, type };
  }
  const { description, ...schema } = rest;
  const alternatives =
    Array.isArray(schema['allOf']) && schema['allOf'].length === 1 ? (schema['allOf'] as unknown[])[0] : schema;
  return { anyOf: [alternatives, { type: 'null' }], ...(description === undefined ? {} : { description }) };
}
