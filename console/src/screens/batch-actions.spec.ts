import { describe, expect, it } from 'vitest';
import { batchesOf, carryOut, possibleActions, refusalsOf, tagsOf } from './batch-actions.js';

const ids = Array.from({ length: 1_203 }, (_, n) => `d${n}`);
const STATE = 'It is completed.';

describe('an action over chosen documents', () => {
  it('reaches all of them, in as many requests as that takes', async () => {
    const sizes: number[] = [];
    const outcome = await carryOut({ name: 'retry' }, ids, async (_action, some) => {
      sizes.push(some.length);
      const [first, ...rest] = some;
      return { accepted: rest, rejected: [{ id: first!, code: 'documents.illegal_state', detail: STATE }] };
    });
    expect(sizes).toEqual([500, 500, 203]);
    expect(outcome.accepted).toHaveLength(1_200);
    expect(outcome.rejected.map(({ id }) => id)).toEqual(['d0', 'd500', 'd1000']);
  });

  it('is cut into as many parts where the page goes away', () => {
    const parts = batchesOf(ids);
    expect(parts.map(({ length }) => length)).toEqual([500, 500, 203]);
    expect(parts.flat()).toEqual(ids);
    expect(batchesOf([])).toEqual([]);
  });

  it('says what was done before a later request was refused', async () => {
    let calls = 0;
    const outcome = await carryOut({ name: 'delete' }, ids, async (_action, some) => {
      calls += 1;
      if (calls === 2) throw Object.assign(new Error('No space.'), { code: 'storage.full' });
      return { accepted: [...some], rejected: [] };
    });
    expect([calls, outcome.accepted.length, outcome.rejected.length]).toEqual([2, 500, 703]);
    expect(outcome.rejected[0]).toEqual({ id: 'd500', code: 'storage.full', detail: 'No space.' });
  });

  it('fails where nothing was done', async () => {
    const refused = new Error('Not yours.');
    await expect(carryOut({ name: 'retry' }, ids, () => Promise.reject(refused))).rejects.toBe(refused);
  });

  it('gives each reason once, with the names of some', () => {
    const rejected = [
      { id: 'x', code: 'documents.not_found', detail: 'Gone.' },
      ...ids.slice(0, 5).map((id) => ({ id, code: 'documents.illegal_state', detail: STATE })),
    ];
    const nameOf = (id: string): string | undefined => (id === 'x' ? undefined : `${id}.txt`);
    expect(refusalsOf({ rejected }, nameOf)).toEqual([
      { code: 'documents.illegal_state', detail: STATE, count: 5, names: ['d0.txt', 'd1.txt', 'd2.txt'] },
      { code: 'documents.not_found', detail: 'Gone.', count: 1, names: [] },
    ]);
  });

  it('reads tags as they are written', () => {
    expect(tagsOf(' a, b b ,,a')).toEqual(['a', 'b b']);
    expect(tagsOf(' , ')).toEqual([]);
  });

  it('is offered where it can do something: no other attempt at a damaged file, nothing to stop where all is read', () => {
    const row = (status: string, code?: string) => ({ status, error: code === undefined ? null : { code } });
    const rows = new Map([
      ['damaged', row('failed', 'MALFORMED')],
      ['empty', row('failed', 'EMPTY_FILE')],
      ['late', row('failed', 'PARSER_TIMEOUT')],
      ['read', row('completed')],
      ['waiting', row('pending')],
      ['held', row('quarantined')],
      ['stopped', row('cancelled')],
    ]);
    const able = (...some: readonly string[]): readonly string[] =>
      Object.entries(possibleActions(some, rows)).flatMap(([name, can]) => (can ? [name] : []));
    expect(able('damaged', 'empty')).toEqual(['quarantine']);
    expect(able('damaged', 'late')).toEqual(['retry', 'quarantine']);
    expect(able('damaged', 'read')).toEqual(['reingest', 'quarantine']);
    expect(able('waiting')).toEqual(['cancel', 'quarantine']);
    expect(able('held')).toEqual(['release']);
    expect(able('held', 'read')).toEqual(['reingest', 'quarantine', 'release']);
    expect(able('stopped')).toEqual([]);
    expect(able('not fetched')).toEqual(['retry', 'reingest', 'cancel', 'quarantine', 'release']);
  });

  it('counts those that wait for a second person', async () => {
    const send = (): Promise<{ accepted: string[]; rejected: never[]; awaiting: string[] }> =>
      Promise.resolve({ accepted: [], rejected: [], awaiting: ['d1'] });
    expect((await carryOut({ name: 'release' }, ['d1'], send)).awaiting).toEqual(['d1']);
  });
});
