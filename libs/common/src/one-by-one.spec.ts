import { expect, it } from 'vitest';
import { OneByOne } from './one-by-one.js';

it('begins a piece of work when those before it have ended, even by a failure', async () => {
  const turns = new OneByOne();
  const seen: string[] = [];
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const first = turns.run(async () => {
    await gate;
    seen.push('first');
    throw new Error('away');
  });
  const second = turns.run(async () => seen.push('second'));
  open();
  await expect(first).rejects.toThrow('away');
  expect(await second).toBe(2);
  expect(seen).toEqual(['first', 'second']);
});

it('has ended when all that was handed in has, and tells no failure', async () => {
  const turns = new OneByOne();
  let ended = 0;
  const failed = turns.run(async () => {
    ended += 1;
    throw new Error('away');
  });
  void turns.run(async () => (ended += 1));
  await turns.ended();
  expect(ended).toBe(2);
  await expect(failed).rejects.toThrow('away');
});
