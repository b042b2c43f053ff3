import { expect, it } from 'vitest';
import { renderExampleFile } from '#libs/config';
import { ADAPTERS } from '../../src/adapters.js';
import { readProjectFile } from './project-files.js';

/** The part of README.md between the heading "Settings" and the next one. */
const about = readProjectFile('README.md').split('\n## Settings\n')[1]!.split('\n## ')[0]!;
/** Names and defaults as libs/config and the adapters declare them, in its order. */
const declared = [...renderExampleFile(ADAPTERS).matchAll(/^# ([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name, value]) =>
  value === '' ? name! : `${name}=${value}`,
);

it('README names every setting with its default, and no other', () => {
  const table = about.slice(about.indexOf('| Group'));
  // A setting that another one needs may be named inside the brackets of that one.
  const shown = [...table.matchAll(/[|,] `([A-Z][A-Z0-9_]*)`(?: \(`([^`]+)`([^)]*)\))?/g)];
  expect(shown.map(([, name, value]) => (value === undefined ? name! : `${name}=${value}`))).toEqual(declared);
  const named = [...about.matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]*)`/g)].map(([, name]) => name!);
  expect(named.filter((name) => !declared.some((entry) => entry.split('=')[0] === name))).toEqual([]);
});
