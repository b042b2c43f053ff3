import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entityKeyOf } from './entity-key.js';
import { extractGraph } from './extract-graph.js';

/** A text with what its writer, who did not know the rules, takes for names; what lies under `either` may be found or not. */
interface WrittenApart {
  readonly language: 'de' | 'en';
  readonly text: string;
  readonly entities: readonly { readonly name: string; readonly type: string }[];
  readonly either: readonly string[];
}

const FILE = join(import.meta.dirname, 'testing', 'office-files', 'written-apart.json');
const TEXTS = JSON.parse(readFileSync(FILE, 'utf8')) as WrittenApart[];
const KINDS = new Set(['person', 'organisation', 'place', 'product']);

/** What is found in a text, apart from what may be found or not: whether it is right, and its name. */
function foundIn({ text, entities, either }: WrittenApart): { isRight: boolean; name: string }[] {
  const wanted = new Set(entities.map(({ name, type }) => `${type} ${entityKeyOf(name)}`));
  const open = new Set(either.map(entityKeyOf));
  const { mentions } = extractGraph([{ start: 0, text, headings: [] }]);
  const named = new Set(
    mentions.filter(({ type }) => KINDS.has(type)).map(({ type, label }) => `${type} ${entityKeyOf(label)}`),
  );
  return [...named]
    .map((name) => ({ isRight: wanted.has(name), name }))
    .filter(({ isRight, name }) => isRight || !open.has(name.slice(name.indexOf(' ') + 1)));
}

describe.each([
  ['German', 'de', 0.75],
  ['English', 'en', 0.6],
] as const)('office texts in %s of one who did not know the rules', (_, language, share) => {
  it('give names that are ones', () => {
    const texts = TEXTS.filter((text) => text.language === language);
    const found = texts.flatMap(foundIn);
    const right = found.filter(({ isRight }) => isRight).length;
    const wrong = found.filter(({ isRight }) => !isRight).map(({ name }) => name);
    expect(right / found.length, wrong.join(', ')).toBeGreaterThanOrEqual(0.95);
    expect(right / texts.flatMap(({ entities }) => entities).length).toBeGreaterThanOrEqual(share);
  });
});
