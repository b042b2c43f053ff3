import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { SCREENS } from '../support/console/screens.js';

const SOURCES = fileURLToPath(new URL('../../console/src', import.meta.url));
const LIST = 'test/support/console/screens.ts';
const OPENINGS = 'test/support/console/openings.ts';

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.tsx'))
  .map((name): readonly [string, string] => [name.replaceAll('\\', '/'), readFileSync(join(SOURCES, name), 'utf8')]);

/** Every address of the console is in the list that the browser tests go through: accessibility, keyboard, texts, widths, hostile names. */
describe('the list of the console’s screens', () => {
  const routes = files.flatMap(([, text]) => [...text.matchAll(/<Route\s+path="([^"]+)"/g)].map(([, path]) => path!));
  const listed = new Set(SCREENS.map(({ route }) => route));

  it(`has each route of console/src (a line of ${LIST})`, () => {
    expect(routes.length).toBeGreaterThan(5);
    expect(routes.filter((route) => !listed.has(route))).toEqual([]);
    expect([...listed].filter((route) => route !== undefined && !routes.includes(route))).toEqual([]);
  });

  it('is reached by every screen: none is loaded but by a route, and no route is written in another way', () => {
    const lazily = files.flatMap(([name, text]) =>
      [...text.matchAll(/const (\w+) = screen\(\(\) => import\('\.\.\/screens\//g)].map(([, screen]) => [
        name,
        screen!,
      ]),
    );
    expect(lazily.length).toBeGreaterThan(3);
    const elements = files.map(([, text]) => text).join('\n');
    const unrouted = lazily.filter(
      ([, screen]) => !new RegExp(`<Route path="[^"]+">[^]{0,200}?<${screen}\\b`).test(elements),
    );
    expect(unrouted).toEqual([]);
    expect(files.filter(([, text]) => /<Route\s+path=\{|\bcomponent=\{/.test(text)).map(([name]) => name)).toEqual([]);
  });

  it(`opens each dialog of console/src (an opening of ${OPENINGS}, in the line of its screen)`, () => {
    const opened = new Set(SCREENS.flatMap(({ opens = [] }) => opens.map(({ writtenIn }) => writtenIn)));
    const withDialogs = files.filter(([name, text]) => !name.startsWith('ui/') && /<(Sheet|Confirm)\b/.test(text));
    expect(withDialogs.length).toBeGreaterThan(5);
    expect(withDialogs.map(([name]) => name).filter((name) => !opened.has(name))).toEqual([]);
  });

  it('has a name and an address for each', () => {
    expect(new Set(SCREENS.map(({ name }) => name)).size).toBe(SCREENS.length);
  });
});
