import { describe, expect, it } from 'vitest';
import { listProjectFiles, readProjectFile } from './project-files.js';
import { countStatementTexts } from './statement-texts.js';

const SHIPPED = listProjectFiles().filter(
  (path) =>
    /^(src|libs)\/.*\.ts$/.test(path) &&
    !/\.(spec|int-spec)\.ts$|\/testing\/|^libs\/testing\/|\/migrations\//.test(path),
);

/**
 * Statements that cannot be prepared on a migrated database, with the reason. No figure grows, and no file joins without one: a new
 * statement is declared by `statement` or `statementFamily`, or is a call of an entity's repository.
 */
const EXCEPTIONS: Readonly<Record<string, { readonly count: number; readonly reason: string }>> = {
  'libs/database/src/backup/database-restore.ts': {
    count: 1,
    reason:
      'fills whichever table the catalogue names from a temporary one that only a restore makes, and empties that in the same text',
  },
  'src/modules/content/steps/step-rows.repository.ts': {
    count: 2,
    reason: 'works on tables that a package brings with its steps: none of them is in a migrated database',
  },
};

function mostOf(path: string): number {
  return EXCEPTIONS[path]?.count ?? 0;
}

describe('statements', () => {
  const counts = SHIPPED.map((path) => ({ path, count: countStatementTexts(readProjectFile(path)) })).filter(
    ({ count }) => count > 0,
  );

  it('are declared, so that a test prepares them', () => {
    const undeclared = counts.filter(({ path, count }) => count > mostOf(path));
    expect(undeclared.map(({ path, count }) => `${path}: ${count}, at most ${mostOf(path)}`)).toEqual([]);
  });

  it('that were not are only listed while their file has some', () => {
    const withSome = new Set(counts.map(({ path }) => path));
    expect(Object.keys(EXCEPTIONS).filter((path) => !withSome.has(path))).toEqual([]);
  });
});

/** `a.some_id = coalesce(…)`: below row-level security PostgreSQL does not look such a value up in an index. */
const UNINDEXED = /\.\w*id = (?:coalesce|greatest|least)\(/i;

describe('conditions of joins', () => {
  it('look ids up by what an index can be asked for below row-level security', () => {
    expect(SHIPPED.filter((path) => UNINDEXED.test(readProjectFile(path)))).toEqual([]);
  });

  it('are found where they do not', () => {
    expect(UNINDEXED.test('JOIN segments g ON g.revision_id = coalesce(d.visible_revision_id, d.revision_id)')).toBe(
      true,
    );
    expect(UNINDEXED.test('SET error = coalesce($3, error), d.size = coalesce(1, 2)')).toBe(false);
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
