import { describe, expect, it } from 'vitest';
import { DirectorySyncs } from './directory-syncs.js';

describe('syncs of folders', () => {
  it('that are asked for while one runs share the next one, which begins after it', async () => {
    const ends: (() => void)[] = [];
    const syncs = new DirectorySyncs(() => new Promise((resolve) => ends.push(resolve)));
    const done: string[] = [];
    const ask = (name: string): Promise<void> => syncs.sync('/a').then(() => void done.push(name));
    const asked = [ask('first'), ask('second'), ask('third')];
    expect(ends).toHaveLength(1);
    ends[0]!();
    await asked[0];
    expect(done).toEqual(['first']);
    await new Promise((resolve) => setImmediate(resolve));
    expect(ends).toHaveLength(2);
    const late = ask('late');
    ends[1]!();
    await Promise.all(asked);
    await new Promise((resolve) => setImmediate(resolve));
    expect(ends).toHaveLength(3);
    expect(done).toEqual(['first', 'second', 'third']);
    ends[2]!();
    await late;
  });

  it('of different folders do not wait for each other, and one that fails fails for its own callers only', async () => {
    const syncs = new DirectorySyncs(async (path) => {
      if (path === '/bad') throw new Error('no disk');
    });
    const [good, bad] = await Promise.allSettled([syncs.sync('/good'), syncs.sync('/bad')]);
    expect([good.status, bad.status]).toEqual(['fulfilled', 'rejected']);
    await expect(syncs.sync('/bad')).rejects.toThrow('no disk');
    await expect(syncs.sync('/good')).resolves.toBeUndefined();
  });
});
