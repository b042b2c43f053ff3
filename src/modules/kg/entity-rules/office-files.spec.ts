import { describe, expect, it } from 'vitest';
import { entityKeyOf } from './entity-key.js';
import { extractGraph } from './extract-graph.js';
import { OFFICE_FILES, OFFICE_FILES_KEPT_APART, officeText, type OfficeFile } from './testing/office-files.js';

const KINDS = ['person', 'organisation', 'place', 'product'] as const;
type Kind = (typeof KINDS)[number];

/** Entities of some files that were found, of them the right ones, those wanted, and the names of the wrong ones. */
interface Measured {
  found: number;
  right: number;
  wanted: number;
  wrong: string[];
}

function measure(files: readonly OfficeFile[]): Record<Kind, Measured> {
  const measured = Object.fromEntries(
    KINDS.map((kind) => [kind, { found: 0, right: 0, wanted: 0, wrong: [] }]),
  ) as unknown as Record<Kind, Measured>;
  for (const file of files) measureFile(file, measured);
  return measured;
}

function measureFile(file: OfficeFile, into: Record<Kind, Measured>): void {
  const formsOf = (names: readonly string[]): Set<string>[] =>
    names.map((name) => new Set(name.split('=').map(entityKeyOf)));
  const { mentions } = extractGraph([{ start: 0, text: officeText(file), headings: [] }]);
  const either = formsOf(file.either ?? []);
  for (const kind of KINDS) {
    const wanted = formsOf(file[kind]);
    const labels = new Set(mentions.filter(({ type }) => type === kind).map(({ label }) => label));
    into[kind].wanted += wanted.length;
    for (const label of labels) {
      const key = entityKeyOf(label);
      const isRight = wanted.some((forms) => forms.has(key));
      if (!isRight && either.some((forms) => forms.has(key))) continue;
      into[kind].found += 1;
      if (isRight) into[kind].right += 1;
      else into[kind].wrong.push(`${file.name}: ${label}`);
    }
  }
}

describe.each([
  ['German', 'de'],
  ['English', 'en'],
] as const)('office files in %s', (_, language) => {
  it.each([
    ['looked at first', OFFICE_FILES],
    ['kept apart until the end', OFFICE_FILES_KEPT_APART],
  ])('give persons, organisations, places and products that are ones, %s', (_files, files) => {
    const measured = measure(files.filter((file) => file.language === language));
    for (const kind of KINDS) {
      const { found, right, wanted, wrong } = measured[kind];
      expect(right / found, `${kind}: ${wrong.join(', ')}`).toBeGreaterThanOrEqual(0.9);
      expect(right / wanted, `${kind} that are found`).toBeGreaterThanOrEqual(0.7);
    }
  });
});
