import type { JsonObject } from '#libs/common';
import { findBrokenText } from '#libs/http';
import { readPlainYaml } from '#libs/yaml';
import { normaliseTags, problemsOfTags } from '../record/document-facts.js';

/** Metadata and tags from a file, for fields that the sender leaves out. */
export interface OfferedFacts {
  readonly metadata: JsonObject;
  readonly tags: readonly string[];
}

/** YAML between two lines of three dashes at the very beginning, as the Markdown parser reads it. */
const FRONT_MATTER = /^\ufeff?---[ \t]*\r?\n([\s\S]*?\n)?---[ \t]*(?:\r?\n|$)/;
const BOUNDS = { values: 400, depth: 4, lines: 200 };
const NAME = /^[\p{L}_][\p{L}\p{N}_-]{0,63}$/u;
const LONGEST_VALUE = 1_024;
const MOST_FIELDS = 50;
const MOST_ITEMS = 50;

/**
 * The fields of a Markdown file's front matter that filters can use: texts, numbers, booleans and lists of them; a date stays a text such
 * as `2025-03-14`, which sorts by time. The field `tags` becomes the tags. Undefined if there is no front matter, it is longer than the
 * first bytes of the file, or it cannot be read; the file is accepted all the same.
 */
export function readFrontMatter(head: Buffer, mediaType: string): OfferedFacts | undefined {
  if (mediaType !== 'text/markdown') return undefined;
  const source = FRONT_MATTER.exec(head.toString('utf8'))?.[1];
  const fields = source === undefined ? undefined : fieldsOf(source);
  if (fields === undefined) return undefined;
  const tags = tagsOf(fields['tags']);
  const named = Object.entries(fields).filter(([name]) => NAME.test(name) && (name !== 'tags' || tags === undefined));
  const kept = named.flatMap(([name, value]) => {
    const offered = offeredOf(value);
    return offered === undefined ? [] : [[name, offered] as const];
  });
  const metadata = Object.fromEntries(kept.slice(0, MOST_FIELDS));
  return findBrokenText(metadata, '').length > 0 ? undefined : { metadata, tags: tags ?? [] };
}

/** Undefined if the text is not a mapping of fields, or is too large for front matter. */
function fieldsOf(source: string): Readonly<Record<string, unknown>> | undefined {
  const fields = readPlainYaml(source, BOUNDS);
  const isMap = typeof fields === 'object' && fields !== null && !Array.isArray(fields);
  return isMap ? (fields as Record<string, unknown>) : undefined;
}

function tagsOf(value: unknown): string[] | undefined {
  const listed = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(listed) || !listed.every((tag) => typeof tag === 'string' || typeof tag === 'number')) {
    return undefined;
  }
  const tags = normaliseTags(listed.map(String));
  return problemsOfTags(tags).length > 0 || findBrokenText(tags, '').length > 0 ? undefined : tags;
}

function offeredOf(value: unknown): JsonObject[string] | undefined {
  if (Array.isArray(value)) {
    const items = value.slice(0, MOST_ITEMS).map(scalarOf);
    return items.length === 0 || items.includes(undefined) ? undefined : (items as JsonObject[string]);
  }
  return scalarOf(value);
}

function scalarOf(value: unknown): string | number | boolean | undefined {
  if (typeof value === 'string') return value !== '' && value.length <= LONGEST_VALUE ? value : undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'boolean' ? value : undefined;
}
