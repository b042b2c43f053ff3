/**
 * Figures of the house: how large the sources are and where they break the rules of docs/architecture.md: `npm run house`.
 * `--places` lists each place; `--places RULE` those of one rule. `--check` lists those of the rules that nothing may break any more, and
 * fails when there are some.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as house from './house/index.mjs';

const { ROOT } = house;
/** History: texts as they were written. */
const HISTORY = /^docs\/adr\/|^CHANGELOG\.md$/;

/** @param {string} path */
const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT }).filter((path) => !HISTORY.test(path));
const openapi = JSON.parse(read('docs/openapi.json'));
const texts = {
  openapi: house.descriptionsOf(openapi),
  settings: read('.env.example')
    .split('\n')
    .map((text, index) => ({
      place: `.env.example:${index + 1}`,
      text: text.replace(/^# ?/, ''),
      isDescription: true,
    })),
  docs: pages.toSorted().map((path) => house.proseOf(path, read(path))),
};

const all = house.readSources();
/** A migration that was released is never edited. */
const isOpen = (/** @type {{ path: string }} */ { path }) => !path.includes('/migrations/');
const sources = all.filter(({ isSpec }) => !isSpec);
const sum = (/** @type {readonly { lines: number }[]} */ files) => files.reduce((lines, file) => lines + file.lines, 0);

/** @type {[string, string[]][]} */
const RULES = [
  ['small-without-role', house.smallWithoutRole(sources)],
  ['small-with-one-user', house.smallWithOneUser(sources)],
  ['injectable-without-role', house.injectableWithoutRole(sources)],
  ['impure-without-role', house.impureWithoutRole(sources)],
  ['libs-of-one-module', house.libsOfOneModule(sources)],
  ['sql-outside', house.sqlOutsideRepositories(sources)],
  ['shown', house.spelledShown(sources)],
  ['mutual-rooms', house.mutualRooms(sources)],
  ['circles', house.roomsInCircles(sources)],
  ['promises-and-callbacks', house.promisesAndCallbacks(sources)],
  ['fields-openapi', house.undescribedFields(openapi.components.schemas)],
  ['words-openapi', texts.openapi.flatMap(house.bannedWords)],
  ['words-settings', texts.settings.flatMap(house.bannedWords)],
  ['words-docs', texts.docs.flatMap(house.bannedWords)],
  ['words-messages', sources.filter(isOpen).flatMap(house.messagesOf).flatMap(house.bannedWords)],
  ['words-comments', all.filter(isOpen).flatMap(house.commentsOf).flatMap(house.bannedWords)],
];

/** @param {string} name @param {string | number} value */
const line = (name, value) => console.log(`${name.padEnd(28)} ${value}`);
line('sources', `${sources.length} files, ${sum(sources)} lines`);
line('specs and their helpers', `${all.length - sources.length} files, ${sum(all) - sum(sources)} lines`);
line('median of a file', `${sources.map(({ lines }) => lines).toSorted((a, b) => a - b)[sources.length >> 1]} lines`);
line(
  'loose files',
  house
    .looseFiles(sources)
    .map(([module, count]) => `${module} ${count}`)
    .join(', '),
);
for (const [name, places] of RULES) {
  const files = house.countBy(places.map((place) => place.split(':', 1)[0] ?? place)).length;
  line(name, files === places.length ? places.length : `${places.length} in ${files} files`);
}

/** Rules without a place left. */
const KEPT = [
  'shown',
  'small-with-one-user',
  'injectable-without-role',
  'impure-without-role',
  'libs-of-one-module',
  'sql-outside',
  'promises-and-callbacks',
  'mutual-rooms',
  'circles',
  'fields-openapi',
  'words-openapi',
  'words-settings',
  'words-docs',
  'words-messages',
  'words-comments',
];
const MOST_LOOSE = 5;
if (process.argv.includes('--check')) {
  const broken = RULES.filter(([name]) => KEPT.includes(name)).flatMap(([name, places]) =>
    places.map((place) => `${name}: ${place}`),
  );
  const loose = house.looseFiles(sources).filter(([, count]) => count > MOST_LOOSE);
  const found = [...broken, ...loose.map(([module, count]) => `loose files: ${module} has ${count}`)];
  if (found.length > 0) {
    console.error(found.join('\n'));
    process.exitCode = 1;
  }
}

const at = process.argv.indexOf('--places');
if (at !== -1) {
  const wanted = process.argv[at + 1];
  for (const [name, places] of RULES) {
    if (wanted !== undefined && wanted !== name) continue;
    console.log(`\n${name}\n${places.map((place) => `  ${place}`).join('\n')}`);
  }
}
