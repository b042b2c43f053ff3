import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { listProjectFiles, readProjectFile } from './project-files.js';
import { parseWhere } from './source-tree.js';

const TESTS = /\.(spec|int-spec)\.ts$|^(libs|src)\/.*\/testing\/.*\.ts$|^libs\/testing\/.*\.ts$|^test\/.*\.(ts|mjs)$/;

/** Its examples sleep. */
const THIS_FILE = 'test/architecture/no-sleeps.spec.ts';

/**
 * Files whose tests may let real time pass, how often they do, and why: the clock itself is tested, or the pause is what is tried. All
 * others wait by `until` of `#testing/until`, or move a clock.
 */
const EXCEPTIONS: Readonly<Record<string, readonly [number, string]>> = {
  'libs/testing/src/until.ts': [1, 'the pause between two looks'],
  'libs/ai/src/testing/doubles/provider-double.ts': [2, 'how slow a provider is'],
  'libs/ai/src/decorators/decorators.spec.ts': [1, 'an open circuit closes by the clock'],
  'libs/cache/src/redis/redis-cache.int-spec.ts': [1, 'entries expire by the clock of Redis'],
  'libs/database/src/unit-of-work.int-spec.ts': [2, 'a statement that is ended from outside'],
  'libs/process-lock/src/folder-lock.int-spec.ts': [1, 'nothing may happen while the owner is still there'],
  'libs/vector-store/src/adapter/lancedb/lancedb.int-spec.ts': [
    2,
    'versions are kept for a time by the clock of the store',
  ],
  'src/modules/retrieval/testing/test-stores.ts': [1, 'the store merges after a rest, and does not say when it has'],
  'src/modules/ingestion/pipeline/ingestion-pipeline.service.int-spec.ts': [
    4,
    'leases, their beat and the pause of a model are real time',
  ],
  'test/crash/kill-during-purge.spec.ts': [1, 'the moment of the kill'],
  'test/crash/random-kills.mjs': [1, 'the moment of the kill'],
  'test/crash/support/crash-run.ts': [1, 'the moment of the kill'],
  'test/crash/support/stored-state.ts': [1, 'how long a worker is held up'],
  'libs/tenancy/src/access-watch.spec.ts': [1, 'how long a look takes, by a clock that is played'],
  'test/drill/login-flood.mjs': [1, 'the minute of a rate limit'],
  'test/drill/support/provider-drill.ts': [2, 'the length of the outage'],
  'test/drill/neighbours.mjs': [3, 'how long one is measured, and the pace of the one who asks'],
  'test/drill/support/fair-trials.mjs': [3, 'the length of a turn, and the pace of the one who waits'],
  'test/drill/support/heavy-tenant.mjs': [5, 'the pace of the one who takes all that it can get'],
  'test/drill/support/neighbour-thread.mjs': [1, 'the pace of the one who asks'],
  'test/drill/two-models.mjs': [1, 'the pace of the one who searches meanwhile'],
  'test/own-services/document-interleavings.spec.ts': [1, 'the pace of the one who looks on'],
  'test/own-services/interleavings/play.ts': [2, 'the pauses are what is drawn'],
  'test/engines/engine-killed.spec.ts': [1, 'the length of the outage'],
  'test/engines/store-move.spec.ts': [1, 'the pace of the one who searches meanwhile'],
};

/** Lines that let real time pass: a call of `setTimeout` of node:timers/promises or of `delay`, a promise of a timer, `pg_sleep`. */
function findSleeps(path: string, text: string): number[] {
  const file = parseWhere(/setTimeout|delay|pg_sleep/, path, text);
  if (file === undefined) return [];
  const names = new Set<string>();
  const lines = new Set<number>();
  const note = (node: ts.Node): void => void lines.add(file.getLineAndCharacterOfPosition(node.getStart()).line + 1);
  const visit = (node: ts.Node, isInPromise: boolean): void => {
    if (ts.isImportDeclaration(node)) for (const name of sleepsOf(node)) names.add(name);
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const { text: name } = node.expression;
      if (names.has(name) || (name === 'setTimeout' && isInPromise)) note(node);
    }
    if ((ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) && /\bpg_sleep\(/.test(node.getText()))
      note(node);
    const isPromise = ts.isNewExpression(node) && node.expression.getText() === 'Promise';
    ts.forEachChild(node, (child) => visit(child, isInPromise || isPromise));
  };
  visit(file, false);
  return [...lines];
}

/** What an import calls the functions that sleep. */
function sleepsOf(node: ts.ImportDeclaration): string[] {
  const from = (node.moduleSpecifier as ts.StringLiteral).text;
  const wanted = /^(node:)?timers\/promises$/.test(from)
    ? 'setTimeout'
    : /^#libs\/common$|\/bounded\.js$/.test(from)
      ? 'delay'
      : undefined;
  const bindings = node.importClause?.namedBindings;
  if (wanted === undefined || bindings === undefined || !ts.isNamedImports(bindings)) return [];
  return bindings.elements
    .filter(({ propertyName, name }) => (propertyName ?? name).text === wanted)
    .map(({ name }) => name.text);
}

describe('the tests', () => {
  const tests = listProjectFiles().filter(
    (path) => TESTS.test(path) && !path.startsWith('test/fixtures/') && path !== THIS_FILE,
  );
  const found = new Map(tests.map((path) => [path, findSleeps(path, readProjectFile(path))]));

  it('are found', () => {
    expect(tests.length).toBeGreaterThan(300);
  });

  it('let no real time pass, but for what is tested by it', () => {
    const sleeps = [...found].flatMap(([path, lines]) => {
      const [allowed] = EXCEPTIONS[path] ?? [0];
      return lines.length > allowed ? lines.map((line) => `${path}:${line}`) : [];
    });
    expect(sleeps).toEqual([]);
  });

  it('need every exception that is listed', () => {
    const needless = Object.entries(EXCEPTIONS).filter(([path, [count]]) => found.get(path)?.length !== count);
    expect(
      needless.map(([path, [count]]) => `${path}: ${count} listed, ${found.get(path)?.length ?? 0} found`),
    ).toEqual([]);
  });
});

describe('a sleep', () => {
  const timers = `import { setTimeout as wait } from 'node:timers/promises';\n`;

  it.each([
    ['of the promised timer, whatever it is called', `${timers}await wait(5);`, [2]],
    ['of our own', `import { delay } from '#libs/common';\nawait delay(5);`, [2]],
    ['by a promise of a timer', 'await new Promise((resolve) => setTimeout(resolve, 5));', [1]],
    ['in the database', "await query('SELECT pg_sleep(1)');", [1]],
    ['between two looks', `${timers}while (!done()) await wait(5);`, [2]],
  ])('%s is found', (_, text, lines) => {
    expect(findSleeps('a.spec.ts', text)).toEqual(lines);
  });

  it.each([
    ['a timer that ends what takes too long', 'const late = setTimeout(() => child.kill(), 5);'],
    ['a delay of something else', 'const delay = 5;\nstart({ delay });'],
    ['a moved clock', 'await vi.advanceTimersByTimeAsync(5);'],
  ])('is not %s', (_, text) => {
    expect(findSleeps('a.spec.ts', text)).toEqual([]);
  });
});
