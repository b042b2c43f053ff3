import type { JsonValue } from '#libs/common';

/** A text or number of a JSON answer. */
export interface JsonLeaf {
  /** The name under which it is; of a member of a list the name of the list; '' at the top. */
  readonly key: string;
  /** As it is read: without quotes and escapes. */
  readonly text: string;
  /** Where it is written in the JSON text, quotes left out; UTF-16 code units, `end` exclusive. */
  readonly start: number;
  readonly end: number;
}

/** The value with every text of it, names too, as `clean` makes it. */
export function cleanJson(value: JsonValue, clean: (text: string) => string): JsonValue {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((member: JsonValue) => cleanJson(member, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [clean(key), cleanJson(member, clean)]));
}

/** The JSON text, as `JSON.stringify` writes it, and where its texts and numbers are in it. */
export function writeJson(value: JsonValue): { content: string; leaves: JsonLeaf[] } {
  const leaves: JsonLeaf[] = [];
  let content = '';
  const write = (part: JsonValue, key: string): void => {
    if (Array.isArray(part)) {
      content += '[';
      part.forEach((member: JsonValue, index) => {
        if (index > 0) content += ',';
        write(member, key);
      });
      content += ']';
    } else if (typeof part === 'object' && part !== null) {
      content += '{';
      Object.entries(part).forEach(([name, member], index) => {
        content += `${index > 0 ? ',' : ''}${JSON.stringify(name)}:`;
        write(member, name);
      });
      content += '}';
    } else writeLeaf(part, key);
  };
  const writeLeaf = (part: JsonValue, key: string): void => {
    const written = JSON.stringify(part);
    const quote = typeof part === 'string' ? 1 : 0;
    const [start, end] = [content.length + quote, content.length + written.length - quote];
    content += written;
    if (typeof part === 'string' || typeof part === 'number') leaves.push({ key, text: String(part), start, end });
  };
  write(value, '');
  return { content, leaves };
}
