import { expect, it } from 'vitest';
import { SideBySide } from './side-by-side.js';

it('gives the results in the order in which the work began', async () => {
  const work = new SideBySide<string>();
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  void work.begin(async () => {
    await gate;
    return 'first';
  });
  expect(await work.begin(async () => 'second')).toBe('second');
  open();
  expect(await work.all()).toEqual(['first', 'second']);
});

it('tells a failure once it is asked for, and gives what succeeded beside it', async () => {
  const work = new SideBySide<string>();
  void work.begin(async () => {
    throw new Error('away');
  });
  void work.begin(async () => 'second');
  expect(await work.succeeded()).toEqual(['second']);
  await expect(work.all()).rejects.toThrow('away');
});
