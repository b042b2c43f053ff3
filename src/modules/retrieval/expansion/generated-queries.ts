/** Maximum number of further phrasings of a question. */
export const PHRASINGS_MAX = 3;
const QUERY_CHARS = 512;
const PASSAGE_CHARS = 4_000;
/** What is before an item of a list that was written as text. */
const BULLET = /^\s*(?:[-*•]|\d{1,2}[.):])\s+/u;
const FENCE = /^\s*```[a-z]*\s*\n?|\n?\s*```\s*$/giu;

/**
 * The phrasings that a model wrote: the JSON that it was asked for, also fenced, within other words or as a bare list, or else one for
 * each line. At most three, cleaned, each once, none that is the query itself. Undefined where it wrote none at all.
 */
export function readPhrasings(written: string, query: string): readonly string[] | undefined {
  const all = (fromJson(written) ?? fromLines(written)).map((one) => cleaned(one, QUERY_CHARS)).filter(isSaid);
  if (all.length === 0) return undefined;
  const seen = new Set([keyOf(query)]);
  const fresh = all.filter((one) => !seen.has(keyOf(one)) && seen.add(keyOf(one)));
  return fresh.slice(0, PHRASINGS_MAX);
}

/** The passage that a model wrote, without a fence around it. Undefined where it wrote none. */
export function readPassage(written: string): string | undefined {
  const passage = cleaned(written.replace(FENCE, ''), PASSAGE_CHARS);
  return isSaid(passage) ? passage : undefined;
}

function fromJson(written: string): string[] | undefined {
  const bare = written.replace(FENCE, '');
  const within = [/\{[\s\S]*\}/u.exec(bare)?.[0], /\[[\s\S]*\]/u.exec(bare)?.[0]];
  for (const text of [bare, ...within]) {
    const found = text === undefined ? undefined : stringsOf(parse(text));
    if (found !== undefined) return found;
  }
  // JSON that was cut or is broken is no list of lines.
  return /^\s*[[{]/u.test(bare) ? [...bare.matchAll(/"((?:[^"\\]|\\.){8,})"/gu)].map(([, text]) => text!) : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The texts of a list, or of the first list in an object; items may be objects that hold one text. */
function stringsOf(value: unknown): string[] | undefined {
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown) => {
      if (typeof item === 'string') return [item];
      const held = typeof item === 'object' && item !== null ? Object.values(item) : [];
      return held.filter((one): one is string => typeof one === 'string').slice(0, 1);
    });
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const list = Object.values(value).find((one) => Array.isArray(one));
  return list === undefined ? undefined : stringsOf(list);
}

function fromLines(written: string): string[] {
  return written
    .replace(FENCE, '')
    .split('\n')
    .map((line) => line.replace(BULLET, '').replace(/^["“„'](.*)["”'],?$/u, '$1'))
    .filter((line) => !line.trimEnd().endsWith(':'));
}

function cleaned(text: string, most: number): string {
  const plain = text.toWellFormed().replace(/[\s\p{Cc}]+/gu, ' ');
  return plain
    .trim()
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/u, '');
}

/** Whether there is anything to search for. */
function isSaid(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

function keyOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
