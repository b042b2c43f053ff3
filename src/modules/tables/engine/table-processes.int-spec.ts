import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { EngineFixture } from './testing/engine.fixture.js';
import type { TableEngineOptions } from './pool/engine-options.js';

const COUNT = 'SELECT count(*) FROM products';
/** More rows than anybody waits for. */
const ENDLESS = 'SELECT count(*) FROM numbers a, numbers b, numbers c WHERE a.n + b.n + c.n = 7';
const MUCH = 'SELECT list(a.n + b.n) FROM numbers a, numbers b';
const MS = { timeoutMs: 30_000 };

interface Living {
  readonly pid: number;
  /** Ticks of processor time. */
  readonly ticks: number;
}

/** The processes below this one that hold tables. */
function children(): Living[] {
  const all = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const holdsTables = readFileSync(`/proc/${name}/cmdline`, 'latin1').includes('table-child');
      const isDead = fields[0] === 'Z' || fields[0] === 'X';
      return [{ pid: Number(name), parent: Number(fields[1]), ticks: Number(fields[11]), holdsTables, isDead }];
    } catch {
      return [];
    }
  });
  const isBelow = (pid: number): boolean => {
    const parent = all.find((one) => one.pid === pid)?.parent;
    return parent !== undefined && (parent === process.pid || isBelow(parent));
  };
  return all.filter(({ pid, holdsTables, isDead }) => holdsTables && !isDead && isBelow(pid));
}

const pids = (): number[] => children().map(({ pid }) => pid);
const ticks = (): number => children().reduce((sum, child) => sum + child.ticks, 0);
const codeOf = (error: unknown): string => String((error as { code?: string }).code ?? error);

describe('processes that hold tables', () => {
  const open: EngineFixture[] = [];
  async function fixtureWith(options: Partial<TableEngineOptions> = {}): Promise<EngineFixture> {
    const fixture = await EngineFixture.open(options);
    open.push(fixture);
    return fixture;
  }
  afterEach(async () => {
    for (const fixture of open.splice(0)) await fixture.close();
  });
  const loads = async (fixture: EngineFixture, dataset: string): Promise<boolean> => {
    const before = fixture.read.length;
    await fixture.run(COUNT, { dataset });
    return fixture.read.length > before;
  };

  it('are as many as fit into their memory; the least recently used ends first', async () => {
    const one = await fixtureWith();
    await one.run(COUNT);
    const memoryBytes = Math.round(one.engine.state().memoryBytes * 2.5);
    const fixture = await fixtureWith({ memoryBytes });
    for (const dataset of ['a', 'b', 'a', 'c']) await fixture.run(COUNT, { dataset });
    await until(() => fixture.engine.state().processes === 2);
    expect(fixture.engine.state().memoryBytes).toBeLessThanOrEqual(memoryBytes);
    expect([await loads(fixture, 'a'), await loads(fixture, 'c'), await loads(fixture, 'b')]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('stop a statement whose caller leaves, and go on with the next one', async () => {
    const fixture = await fixtureWith({ concurrency: 1, graceMs: 60_000 });
    await fixture.run('SELECT count(*) FROM numbers');
    const [before, spent] = [pids(), ticks()];
    const caller = new AbortController();
    const running = fixture.run(ENDLESS, MS, caller.signal).catch(codeOf);
    await until(() => ticks() > spent + 10);
    caller.abort(Object.assign(new Error('left'), { code: 'left' }));
    expect(await running).toBe('left');
    const reads = fixture.read.length;
    await fixture.run('SELECT count(*) FROM numbers');
    expect(fixture.read).toHaveLength(reads);
    expect(pids()).toEqual(before);
  });

  it('drop a caller who disconnects while waiting', async () => {
    const fixture = await fixtureWith({ concurrency: 1 });
    const [first, second] = [new AbortController(), new AbortController()];
    const running = fixture.run(ENDLESS, MS, first.signal).catch(codeOf);
    const waiting = fixture.run(COUNT, {}, second.signal).catch(codeOf);
    second.abort(Object.assign(new Error('left'), { code: 'left' }));
    expect(await waiting).toBe('left');
    first.abort(Object.assign(new Error('left'), { code: 'left too' }));
    expect(await running).toBe('left too');
    expect((await fixture.run(COUNT)).rows).toEqual([[10]]);
  });

  it("do not keep another tenant's statement waiting for long ones, which are carried out again and in the end refused", async () => {
    const fixture = await fixtureWith({ concurrency: 2, turnMs: 0, graceMs: 60_000 });
    await fixture.run(COUNT);
    const caller = new AbortController();
    const ended: [string, unknown][] = [];
    const run = async (owner: string, sql: string): Promise<void> => {
      const outcome = await fixture.run(sql, { owner, ...MS }, caller.signal).then(({ rows }) => rows, codeOf);
      ended.push([owner, outcome]);
    };
    // Two long ones of a and one of b: a has one place of two, and both are ended for anyone who has none.
    const long = [run('a', ENDLESS), run('a', ENDLESS), run('b', ENDLESS)];
    await run('c', COUNT);
    expect(ended).toContainEqual(['c', [[10]]]);
    // Each further one ends the longest, which is refused the second time.
    const refused = (): unknown[] => ended.flatMap(([owner, outcome]) => (owner === 'c' ? [] : [outcome]));
    for (let n = 0; n < 8 && refused().length === 0; n += 1) await run('c', COUNT);
    expect(refused()[0]).toBe('sql.busy');
    caller.abort(Object.assign(new Error('left'), { code: 'left' }));
    await Promise.all(long);
  });

  it('are killed when they do not answer within the time of a statement and the grace period after it', async () => {
    const fixture = await fixtureWith({ graceMs: 50 });
    await fixture.run(COUNT);
    for (const pid of pids()) process.kill(pid, 'SIGSTOP');
    expect(await fixture.run(COUNT, { timeoutMs: 50 }).catch(codeOf)).toBe('sql.timeout');
    await until(() => fixture.engine.state().processes === 0 && children().length === 0);
    expect(fixture.engine.state().memoryBytes).toBe(0);
    expect(await loads(fixture, 'dataset')).toBe(true);
  });

  it('are replaced after an out-of-memory error, and when they are killed from outside', async () => {
    const fixture = await fixtureWith({ memoryBytes: 128 * 1024 * 1024 });
    expect(await fixture.run(MUCH, MS).catch(codeOf)).toBe('sql.memory');
    await until(() => fixture.engine.state().processes === 0 && children().length === 0);
    expect(await loads(fixture, 'dataset')).toBe(true);
    for (const pid of pids()) process.kill(pid, 'SIGKILL');
    await until(() => fixture.engine.state().processes === 0);
    expect(fixture.engine.state().memoryBytes).toBe(0);
    expect(await loads(fixture, 'dataset')).toBe(true);
  });
});
