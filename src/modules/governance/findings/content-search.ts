import type { JsonObject } from '#libs/common';
import { DEFAULT_MIN_SCORE, detect, ENTITY_TYPES, type EntityType, type Finding } from '#libs/detectors';
import type { UnseenLook, UnseenText } from '#libs/parsing';
import type { TextSegment } from '#libs/text';
import { governanceRulesOf, type GovernanceRule, type IngestionPolicy } from '../../ingestion-policy/index.js';
import type { NewFinding } from './findings.repository.js';

/** Number of code units that are searched again with the next piece of a text, because a value may cross the border. */
const OVERLAP = 2_048;

/** Maximum number of remembered names and values of metadata, which repeat during one search. */
const SHORT = 64;
const MOST_REMEMBERED = 2_000;

/** Kinds of content to search for, with their actions. */
export type SearchedTypes = ReadonlyMap<EntityType, GovernanceRule>;

/** Name, path, title, metadata and tags of a document. */
export interface DescribedDocument {
  readonly name: string;
  /** Null: none. */
  readonly path: string | null;
  readonly title: string | null;
  readonly metadata: JsonObject;
  readonly tags: readonly string[];
}

/** All parts of a document that can contain sensitive content. */
export interface SearchedContent extends DescribedDocument {
  /** Stretches of the text that a reader of the file does not see, as the parser reported them. */
  readonly unseen: readonly UnseenText[];
  /** The canonical text, in order. */
  readonly text: AsyncIterable<TextSegment>;
}

/** All kinds of content that detectors find, with the actions of the policy; for rescans and scans. */
export function allTypesUnder({ governance }: Pick<IngestionPolicy, 'governance'>): SearchedTypes {
  const rules = governanceRulesOf(governance);
  const mild = { action: 'allow', minScore: DEFAULT_MIN_SCORE } as const;
  return new Map(ENTITY_TYPES.map((type) => [type, rules.get(type) ?? mild]));
}

/**
 * Searches a document: name, metadata and other properties, unseen stretches, and the text piece by piece. Ingestion, rescans and scans all
 * use this search. `breathe` is called between two pieces and may throw to end it. Without rules the text is not read.
 */
async function* searchContent(
  content: SearchedContent,
  rules: SearchedTypes,
  breathe: () => Promise<void>,
): AsyncGenerator<NewFinding[]> {
  if (rules.size === 0) return;
  yield findBeside(content, rules);
  yield findUnseen(content.unseen, rules);
  yield* searchText(content.text, rules, breathe);
}

/** All findings in a document. @see searchContent */
export async function findInContent(...search: Parameters<typeof searchContent>): Promise<NewFinding[]> {
  const found: NewFinding[] = [];
  for await (const some of searchContent(...search)) for (const finding of some) found.push(finding);
  return found;
}

/** Number of findings in a document by type; types without findings are left out. @see searchContent */
export async function countInContent(...search: Parameters<typeof searchContent>): Promise<Map<EntityType, number>> {
  const counts = new Map<EntityType, number>();
  for await (const some of searchContent(...search))
    for (const { entityType } of some) counts.set(entityType, (counts.get(entityType) ?? 0) + 1);
  return counts;
}

/** Certainty that text with this appearance is hidden on purpose. */
const UNSEEN_SCORES: Readonly<Record<UnseenLook, number>> = { unseen_colour: 0.7, unseen_size: 0.8, unseen_style: 0.9 };

/** Stretches of the text that a reader of the file does not see, as the parser reported them. */
function findUnseen(unseen: readonly UnseenText[], rules: SearchedTypes): NewFinding[] {
  const rule = rules.get('hidden_text');
  if (rule === undefined) return [];
  const { action, minScore } = rule;
  return unseen.flatMap(({ start, end, look, page = null }) => {
    const score = UNSEEN_SCORES[look];
    const found = { place: 'text', entityType: 'hidden_text', rule: look, severity: 'high', start, end, page } as const;
    return score < minScore ? [] : [{ ...found, score, action }];
  });
}

/** Findings outside of the text. Offsets count within each value. */
export function findBeside(
  { name, path, title, metadata, tags }: DescribedDocument,
  rules: SearchedTypes,
): NewFinding[] {
  const values = [
    { place: 'name' as const, text: name },
    { place: 'name' as const, text: foldersOf(path ?? '', name) },
    { place: 'title' as const, text: title ?? '' },
    ...stringsOf(metadata).map((text) => ({ place: 'metadata' as const, text })),
    ...tags.map((text) => ({ place: 'tags' as const, text })),
  ];
  return values.flatMap(({ place, text }) =>
    recall(text, rules).map(({ finding, rule }) => ({ ...finding, place, page: null, action: rule.action })),
  );
}

/** The folders of a path; the name is searched separately. */
function foldersOf(path: string, name: string): string {
  return path === name || path.endsWith(`/${name}`) ? path.slice(0, -name.length) : path;
}

/** Findings in the text, for each piece. */
async function* searchText(
  pieces: AsyncIterable<TextSegment>,
  rules: SearchedTypes,
  breathe: () => Promise<void>,
): AsyncGenerator<NewFinding[]> {
  const seen = new Set<string>();
  let tail = '';
  let page: number | null = null;
  for await (const { start, text, blocks } of pieces) {
    const from = start - tail.length;
    const pages = blocks.filter((block) => block.page !== undefined);
    const found: NewFinding[] = [];
    let at = 0;
    for (const { finding, rule } of findRuled(tail + text, rules)) {
      const place = { ...finding, start: from + finding.start, end: from + finding.end };
      while (at < pages.length && pages[at]!.start <= place.start) page = pages[at++]!.page ?? null;
      const key = `${place.entityType}:${place.start}:${place.end}`;
      if (seen.has(key)) continue;
      if (place.end > start + text.length - OVERLAP) seen.add(key);
      found.push({ ...place, place: 'text', page, action: rule.action });
    }
    page = pages.at(-1)?.page ?? page;
    tail = (tail + text).slice(-OVERLAP);
    yield found;
    await breathe();
  }
}

interface RuledFinding {
  readonly finding: Finding;
  readonly rule: GovernanceRule;
}
const remembered = new WeakMap<SearchedTypes, Map<string, readonly RuledFinding[]>>();

/** As `findRuled`, but remembers the findings in short texts. */
function recall(text: string, rules: SearchedTypes): readonly RuledFinding[] {
  if (text === '') return [];
  if (text.length > SHORT) return findRuled(text, rules);
  const known = remembered.get(rules) ?? new Map<string, readonly RuledFinding[]>();
  remembered.set(rules, known);
  const found = known.get(text) ?? findRuled(text, rules);
  if (known.size >= MOST_REMEMBERED) known.clear();
  known.set(text, found);
  return found;
}

function findRuled(text: string, rules: SearchedTypes): RuledFinding[] {
  return detect(text, { types: rules.keys(), minScore: 0 }).flatMap((finding) => {
    const rule = rules.get(finding.entityType)!;
    return finding.score < rule.minScore ? [] : [{ finding, rule }];
  });
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [...(Array.isArray(value) ? [] : [key]), ...stringsOf(inner)]);
}
