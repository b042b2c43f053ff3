import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { describe, expect, it } from 'vitest';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const SOURCES = fileURLToPath(new URL('..', import.meta.url));
const LANGUAGES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length));

function readTexts(language: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(`${FOLDER}${language}.json`, 'utf8')) as Record<string, string>;
}

/** Names of what a message is given. */
function argumentsOf(text: string): readonly string[] {
  const names = [...text.matchAll(/\{(\w+)[,}]/g)].map(([, name]) => name!);
  return [...new Set(names)].toSorted();
}

const ENGLISH = readTexts('en');

/** What people who had never seen the console did not understand, or took for something else. */
const RIDDLES: Readonly<Record<string, RegExp>> = { en: /\bpassages?\b|\bquality\b/i, de: /Datens[aä]tz|Qualität/ };
/** Rows of a file are just that. */
const RECORDS = 'fidelity.records';

describe.each(LANGUAGES)('the texts in %s', (language) => {
  const texts = readTexts(language);

  it('are complete, and none is empty', () => {
    expect(Object.keys(texts)).toEqual(Object.keys(ENGLISH));
    expect(Object.entries(texts).filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('have no word that people did not understand', () => {
    const riddle = RIDDLES[language];
    expect(Object.entries(texts).filter(([key, text]) => key !== RECORDS && riddle?.test(text))).toEqual([]);
  });

  it('can be read, and are given the same as the English ones', () => {
    for (const [key, text] of Object.entries(texts)) {
      expect(() => compileMessage(text), key).not.toThrow();
      expect(argumentsOf(text), key).toEqual(argumentsOf(ENGLISH[key]!));
    }
  });
});

it('no text is left that no page shows', () => {
  const pages = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/schema\.d\.ts$|\.spec\./.test(name))
    .map((name) => readFileSync(`${SOURCES}${name}`, 'utf8'))
    .join('\n');
  const written = new Set([...pages.matchAll(/'([a-z]\w*(?:\.\w+)?)'/gi)].map(([, key]) => key!));
  const families = new Set([...pages.matchAll(/`(\w+)\.\$\{/g)].map(([, family]) => family!));
  const unused = Object.keys(ENGLISH).filter((key) => !written.has(key) && !families.has(key.split('.')[0]!));
  expect(unused).toEqual([]);
});
