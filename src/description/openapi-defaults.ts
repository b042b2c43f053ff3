import type { OpenAPIObject } from '@nestjs/swagger';

type Node = Record<string, unknown>;

/**
 * Moves a default beside alternatives of several types into the alternative that has it among its values; elsewhere, client generators
 * would write a text as the name of a variable (`headerRows = auto`), which does not compile. Other defaults stay where they are.
 */
export function moveDefaults(document: OpenAPIObject): OpenAPIObject {
  visit(document);
  return document;
}

function visit(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const node = value as Node;
  const taker = takerOf(node);
  if (taker !== undefined) {
    taker['default'] = node['default'];
    delete node['default'];
  }
  for (const [key, inner] of Object.entries(node)) if (key !== 'example' && key !== 'examples') visit(inner);
}

/** Undefined when there is nothing to move. */
function takerOf({ anyOf, default: given }: Node): Node | undefined {
  if (typeof given !== 'string' || !Array.isArray(anyOf)) return undefined;
  return (anyOf as Node[]).find(({ enum: values }) => Array.isArray(values) && values.includes(given));
}
