import { describe, expect, it } from 'vitest';
import { listProjectFiles, readProjectFile } from './project-files.js';
import { countStatementTexts } from './statement-texts.js';

const SHIPPED = listProjectFiles().filter(
  (path) =>
    /^(src|libs)\/.*\.ts$/.test(path) &&
    !/\.(spec|int-spec)\.ts$|\/testing\/|^libs\/testing\/|\/migrations\//.test(path),
);

/**
 * Statements that are still given as text, so that no test prepares them. No figure grows and no file joins: a new statement is
 * declared by `statement` or `statementFamily`, or is a call of an entity's repository.
 */
const AT_MOST: Readonly<Record<string, number>> = {
  'libs/database/src/audit-log.ts': 3,
  'libs/database/src/backup/database-restore.ts': 10,
  'libs/database/src/backup/database-snapshot.ts': 6,
  'libs/database/src/backup/file-removals.ts': 2,
  'libs/database/src/backup/table-catalogue.ts': 5,
  'libs/database/src/database.ts': 2,
  'libs/database/src/embedded/server-sessions.ts': 2,
  'libs/database/src/migrate.ts': 5,
  'libs/database/src/plugin-schemas.ts': 7,
  'libs/database/src/roles.ts': 4,
  'libs/database/src/tenant-isolation.ts': 1,
  'src/modules/ingestion/metadata-sync.ts': 1,
  // Over tables that a package brings with its steps: none of them is in a migrated database.
  'src/modules/ingestion/step-rows.repository.ts': 2,
};

describe('statements', () => {
  const counts = SHIPPED.map((path) => ({ path, count: countStatementTexts(readProjectFile(path)) })).filter(
    ({ count }) => count > 0,
  );

  it('are declared, so that a test prepares them', () => {
    const undeclared = counts.filter(({ path, count }) => count > (AT_MOST[path] ?? 0));
    expect(undeclared.map(({ path, count }) => `${path}: ${count}, at most ${AT_MOST[path] ?? 0}`)).toEqual([]);
  });

  it('that were not are only listed while their file has some', () => {
    const withSome = new Set(counts.map(({ path }) => path));
    expect(Object.keys(AT_MOST).filter((path) => !withSome.has(path))).toEqual([]);
  });
});

describe('the search for statements', () => {
  it('sees texts that are run, and neither declared ones nor other calls', () => {
    const text = [
      'this.query<Row>(ctx, `SELECT 1 FROM ${table}`, []);',
      "manager.query('DELETE FROM a');",
      'rowsOf(manager, `${PREFIX} WHERE a = 1`);',
      'const A = statement({}, `SELECT 1`);',
      'this.query(ctx, A, []); rows.update({ id }, {}); search.query("select a pump");',
    ].join('\n');
    expect(countStatementTexts(text)).toBe(3);
  });

  it('sees texts that are kept in a variable, made by a function or handed to one', () => {
    const text = [
      'const A = `SELECT 1`; const B = `a part`; const C = statement({}, `SELECT 1`);',
      'const pageOf = (n: number) => `SELECT a FROM b LIMIT ${n}`;',
      'function deletion(table: string) { return `DELETE FROM ${table}`; }',
      'this.query(ctx, A); this.query(ctx, B); this.query(ctx, C); rowsOf(manager, C.of(1));',
      'this.query(ctx, pageOf(1)); manager.query(deletion("a")); this.query(ctx, paged(A, 2));',
    ].join('\n');
    expect(countStatementTexts(text)).toBe(4);
  });
});
