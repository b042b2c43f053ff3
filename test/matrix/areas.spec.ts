import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { CALLERS } from './callers.js';
import { exceptionFor, EXCEPTIONS } from './expected-answer.js';
import { operationsOf, type Description } from './operations.js';
import { AREAS } from './requests.js';

// `npm run check` compares it with what the built service gives.
const DESCRIPTION = new URL('../../docs/openapi.json', import.meta.url);
const asked = Object.values(AREAS).flatMap((recipes) => Object.keys(recipes));

describe('the parts of the route matrix', () => {
  it('ask together every operation of the description once, and none besides', async () => {
    const operations = operationsOf(JSON.parse(await readFile(DESCRIPTION, 'utf8')) as Description);
    expect(asked.toSorted()).toEqual(operations.map(({ name }) => name).toSorted());
  });

  it('have one spec each', async () => {
    const files = (await readdir(import.meta.dirname)).filter((name) => name.endsWith('.spec.ts'));
    const texts = await Promise.all(files.map((name) => readFile(`${import.meta.dirname}/${name}`, 'utf8')));
    const areas = texts.flatMap((text) =>
      [...text.matchAll(/^await describeArea\('(.+)'\);$/gm)].map(([, area]) => area),
    );
    expect(areas.toSorted()).toEqual(Object.keys(AREAS).toSorted());
  });

  it('have no exception that holds for no cell', () => {
    const used = asked.flatMap((operation) => CALLERS.map((caller) => exceptionFor(operation, caller)));
    expect(EXCEPTIONS.filter((entry) => !used.includes(entry))).toEqual([]);
  });
});
