/** An element that is held in memory, with its attributes that carry content. */
export interface XmlNode {
  name: string;
  attributes: ReadonlyMap<string, string>;
  content: (XmlNode | string)[];
  /** Characters of the element and everything in it, and something for each node. */
  units: number;
}

/** Attributes about form and wiring, not content. */
const WIRING = /^(?:xmlns(?::.*)?|xsi:.*|xml:(?:space|base|id)|style|class|width|height|colspan|rowspan|align)$/;

/** What a node without text costs. */
const NODE_UNITS = 32;

export function createNode(name: string, attributes: Readonly<Record<string, string>>): XmlNode {
  const kept = new Map<string, string>();
  let units = NODE_UNITS;
  for (const key in attributes) {
    const value = attributes[key]!.trim();
    if (WIRING.test(key) || value === '') continue;
    kept.set(key, value);
    units += key.length + value.length;
  }
  return { name, attributes: kept, content: [], units };
}

/** The name without its prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

export function childNodes(node: XmlNode): XmlNode[] {
  return node.content.filter((item): item is XmlNode => typeof item !== 'string');
}

/** Whether text is beside or between child elements, as in running text with emphasis. */
export function isMixed(node: XmlNode): boolean {
  return (
    node.content.some((item) => typeof item === 'string' && /\S/.test(item)) &&
    node.content.some((item) => typeof item !== 'string')
  );
}

/** All text of an element in order, white space collapsed. Depth is bounded by the reader. */
export function textOf(node: XmlNode): string {
  const parts: string[] = [];
  collect(node, parts);
  return parts.join('').replace(/\s+/g, ' ').trim();
}

function collect(node: XmlNode, parts: string[]): void {
  for (const item of node.content) {
    if (typeof item === 'string') {
      parts.push(item);
      continue;
    }
    collect(item, parts);
    if (childNodes(item).length > 0) parts.push(' ');
  }
}
