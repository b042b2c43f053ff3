import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readProjectFile } from './project-files.js';

type Packages = Readonly<Record<string, string>>;

interface Named {
  readonly name: string;
  readonly reason: string;
  readonly licence: string;
}

const DECISION = readProjectFile('docs/adr/0025-dependencies.md');
const PACKAGE = JSON.parse(readProjectFile('package.json')) as Readonly<Record<string, Packages>>;
/** Sections of the decision and the fields of package.json that they explain. */
const SECTIONS = [
  ['What the service runs with', 'dependencies'],
  ['What it runs without', 'optionalDependencies'],
  ['What it is developed and built with', 'devDependencies'],
] as const;
/** Packages that say their licence in a file only: what that file begins with. */
const LICENCE_FILES: Readonly<Record<string, string>> = { 'cohere-ai': 'MIT License' };

/** The packages of the table of one section, a row for several of one reason. */
function namedIn(decision: string, section: string): Named[] {
  const [, text] = decision.split(`\n## ${section}\n`);
  const rows = (text ?? '').split('\n## ')[0]!.matchAll(/^\| (`[^|]+) \| ([^|]+) \| ([^|]+) \|$/gm);
  return [...rows].flatMap(([, names, reason, licence]) =>
    [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => ({ name: name!, reason: reason!, licence: licence! })),
  );
}

/** What one list has and the other lacks. */
function differences(named: readonly string[], used: readonly string[]): string[] {
  return [
    ...used.filter((name) => !named.includes(name)).map((name) => `${name} is in package.json and not in the decision`),
    ...named.filter((name) => !used.includes(name)).map((name) => `${name} is in the decision and not in package.json`),
    ...named.filter((name, at) => named.indexOf(name) !== at).map((name) => `${name} is in the decision twice`),
  ];
}

/** The licence of an installed package as it says it itself; undefined where it is not installed. */
function licenceOf(name: string): string | undefined {
  const folder = fileURLToPath(new URL(`../../node_modules/${name}/`, import.meta.url));
  if (!existsSync(`${folder}package.json`)) return undefined;
  const { license } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8')) as { license?: string };
  const inFile = LICENCE_FILES[name];
  if (license !== undefined || inFile === undefined) return license;
  return readFileSync(`${folder}LICENSE`, 'utf8').startsWith(inFile) ? inFile.split(' ')[0] : 'another one';
}

describe('the decision about dependencies (docs/adr/0025-dependencies.md)', () => {
  it.each(SECTIONS)('names under "%s" what package.json has as %s', (section, field) => {
    const names = namedIn(DECISION, section).map(({ name }) => name);
    expect(differences(names, Object.keys(PACKAGE[field] ?? {}))).toEqual([]);
  });

  it('says the licence that each installed package says itself', () => {
    const named = SECTIONS.flatMap(([section]) => namedIn(DECISION, section));
    const wrong = named.filter(({ name, licence }) => (licenceOf(name) ?? licence) !== licence);
    expect(wrong.map(({ name, licence }) => `${name}: ${licence}, not ${licenceOf(name)}`)).toEqual([]);
    expect(named.filter(({ licence }) => /AGPL|SSPL|Elastic/i.test(licence))).toEqual([]);
  });

  it('is found wanting when a package is missing, left over or named twice', () => {
    const row =
      '\n## A\n\n| Packages | Why | Licence |\n|---|---|---|\n| `a`, `b` | why | MIT |\n| `b` | why | MIT |\n\n## B\n';
    const names = namedIn(row, 'A').map(({ name }) => name);
    expect(names).toEqual(['a', 'b', 'b']);
    expect(differences(names, ['a', 'c'])).toEqual([
      'c is in package.json and not in the decision',
      'b is in the decision and not in package.json',
      'b is in the decision and not in package.json',
      'b is in the decision twice',
    ]);
  });
});
