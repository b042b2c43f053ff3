import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.js';
import { NO_READERS } from '../support/hidden-documents/no-readers.js';
import { hidePlanted, plantWorld, WORDS, type Fate, type World } from '../support/hidden-documents/planted-world.js';
import { answersOf, SCOPES, type Reader } from '../support/hidden-documents/reader.js';
import { READERS } from '../support/hidden-documents/readers.js';
import { keepRemains } from '../support/hidden-documents/remains.js';
import { withApiKey } from '../support/people.js';
import { useService } from '../support/service-process.js';

const DESCRIPTION = new URL('../../docs/openapi.json', import.meta.url);

const service = useService();
const readers = Object.entries(READERS);
let world: World;
let key: ApiClient;
const before = new Map<string, readonly Fate[]>();

async function read(reader: Reader): Promise<string> {
  return answersOf(reader, world, reader.needsKey === true ? key : world[reader.as ?? 'ben'].client);
}

/** Whose words the answers of a route hold. */
function wordsIn(answers: string): Fate[] {
  return (Object.keys(WORDS) as Fate[]).filter((fate) => answers.includes(WORDS[fate][1]));
}

describe('every route', () => {
  it('reads documents in the test below, or is said to read none', () => {
    const { paths } = JSON.parse(readFileSync(DESCRIPTION, 'utf8')) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods).map((one) => one.operationId));
    const named = [...Object.keys(READERS), ...Object.values(NO_READERS).flat()];
    expect(named.toSorted()).toEqual(operations.toSorted());
  });
});

describe('documents that are quarantined, deleted, superseded, or only of another member', () => {
  beforeAll(async () => {
    world = await plantWorld(service.admin, service.process);
    key = await withApiKey(world.ben, SCOPES);
    for (const [operation, reader] of readers) before.set(operation, wordsIn(await read(reader)));
    await keepRemains(service.process);
    await hidePlanted(world);
  }, 300_000);

  it.each(readers)('are not read by %s', async (operation, reader) => {
    expect(before.get(operation), 'while they are shown').toEqual(expect.arrayContaining([...reader.shows]));
    const allowed = ['kept', ...Object.keys(reader.keeps ?? {})];
    const answers = await read(reader);
    const seen = wordsIn(answers);
    expect(seen.filter((fate) => !allowed.includes(fate))).toEqual([]);
    for (const count of reader.counts ?? []) expect(answers).toContain(count);
    if (reader.shows.includes('kept')) expect(seen).toContain('kept');
  });
});
