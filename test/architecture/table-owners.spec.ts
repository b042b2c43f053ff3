import { describe, expect, it } from 'vitest';
import { listProjectFiles, readProjectFile } from './project-files.js';
import { entitiesOf, roomOf, writesOf } from './table-writers.js';

const SHIPPED = listProjectFiles().filter(
  (path) =>
    /^(src|libs)\/.*\.ts$/.test(path) &&
    !/\.(spec|int-spec)\.ts$|\/testing\/|^libs\/testing\/|\/migrations\//.test(path),
);
const MIGRATIONS = listProjectFiles().filter((path) => /^libs\/database\/src\/migrations\/\d.*\.ts$/.test(path));

/** Tables written by others than their owner, and by whom. The list only gets shorter. */
const FOREIGN_WRITERS: readonly string[] = [
  'task_turns: src/modules/ingestion/claiming/claim-statement.repository.ts',
  'tasks: src/modules/ingestion/claiming/claim-statement.repository.ts',
];

/** Files whose statements take the table's name from elsewhere, with the reason. */
const NAMED_AT_RUN_TIME: Readonly<Record<string, string>> = {
  'libs/database/src/backup/database-restore.ts': 'a restore fills every table of an empty database',
  'src/modules/content/steps/step-rows.repository.ts': 'rows of contributed steps lie in the tables that these declare',
  'src/modules/content/texts/revision-text.repository.ts': 'segments of a text lie in one of two tables of the module',
};

function ownersByEntity(): Map<string, string[]> {
  const owners = new Map<string, string[]>();
  for (const path of SHIPPED.filter((file) => file.endsWith('.entity.ts'))) {
    for (const table of entitiesOf(readProjectFile(path))) {
      owners.set(table, [...(owners.get(table) ?? []), roomOf(path)]);
    }
  }
  return owners;
}

function tablesOfMigrations(): string[] {
  const text = MIGRATIONS.map(readProjectFile).join('\n');
  const names = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name ?? '');
  const gone = new Set([
    ...names(/DROP TABLE (?:IF EXISTS )?([a-z_]+)/g),
    ...names(/ALTER TABLE ([a-z_]+) RENAME TO [a-z_]+/g),
  ]);
  const made = [...names(/CREATE TABLE ([a-z_]+)/g), ...names(/ALTER TABLE [a-z_]+ RENAME TO ([a-z_]+)/g)];
  return [...new Set(made)].filter((name) => !gone.has(name)).sort();
}

describe('tables', () => {
  const byEntity = ownersByEntity();
  const tables = tablesOfMigrations();
  const writes = SHIPPED.flatMap((path) => writesOf(path, readProjectFile(path)));

  it('have one owner each, the module of their entity', () => {
    expect(tables.length).toBeGreaterThan(25);
    const owners = tables.map((table) => [table, byEntity.get(table)?.length ?? 0]);
    expect(owners.filter(([, count]) => count !== 1)).toEqual([]);
  });

  it('are written by their owner alone', () => {
    const ownerOf = (table: string) => byEntity.get(table)?.[0];
    const foreign = writes
      .filter(({ table }) => table !== null && tables.includes(table))
      .filter(({ path, table }) => ownerOf(table ?? '') !== roomOf(path))
      .map(({ path, table }) => `${table}: ${path}`);
    expect(foreign.sort()).toEqual(FOREIGN_WRITERS);
  });

  it('are named where they are written', () => {
    const unnamed = writes.filter(({ table }) => table === null);
    expect([...new Set(unnamed.map(({ path }) => path))].sort()).toEqual(Object.keys(NAMED_AT_RUN_TIME));
  });
});

describe('the search for writers', () => {
  it('sees each form of a write, and neither comments nor locks', () => {
    const text = [
      '// UPDATE comments SET a = 1',
      'const a = `INSERT INTO one (id) VALUES ($1)`;',
      "const b = 'DELETE FROM two WHERE id = $1';",
      'const c = `WITH x AS (UPDATE three t SET a = ${value} RETURNING id) SELECT id FROM five FOR UPDATE SKIP LOCKED`;',
      'const d = `TRUNCATE ${table}`;',
      'const e = `MERGE INTO "four" USING x ON true WHEN MATCHED THEN DELETE`;',
    ].join('\n');
    expect(writesOf('a.ts', text).map(({ table }) => table)).toEqual(['one', 'two', 'three', null, 'four']);
  });
});
