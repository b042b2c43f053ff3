import { expect, it } from 'vitest';
import { Once } from './once.js';

it('makes a value once, for all who ask', async () => {
  let made = 0;
  const value = new Once(async () => (made += 1));
  expect(await Promise.all([value.read(), value.read()])).toEqual([1, 1]);
  expect(await value.read()).toBe(1);
});

it('tells a failure to all who wait, and tries again for the next', async () => {
  let tries = 0;
  const value = new Once(async () => {
    tries += 1;
    if (tries === 1) throw new Error('away');
    return tries;
  });
  const settled = await Promise.allSettled([value.read(), value.read()]);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await value.read()).toBe(2);
});
