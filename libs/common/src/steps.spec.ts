import { describe, expect, it } from 'vitest';
import { finish, type Steps } from './steps.js';
import { inTurns } from './thread-turns.js';

function* counting(to: number, onStep: () => void = () => undefined): Steps<number> {
  let count = 0;
  while (count < to) {
    count += 1;
    onStep();
    yield;
  }
  return count;
}

describe('a computation in steps', () => {
  it('comes to the same result at once and in turns', async () => {
    expect(finish(counting(1_000))).toBe(1_000);
    await expect(inTurns(counting(1_000))).resolves.toBe(1_000);
  });

  it('lets others go on before it has ended, when it takes long', async () => {
    const slow = (): void => {
      for (const end = performance.now() + 2; performance.now() < end;);
    };
    let served = 0;
    const timer = setInterval(() => (served += 1), 1);
    await inTurns(counting(20, slow));
    clearInterval(timer);
    expect(served).toBeGreaterThan(2);
  });

  it('fails with what fails in a step', async () => {
    const failing = counting(3, () => {
      throw new RangeError('third');
    });
    await expect(inTurns(failing)).rejects.toThrow('third');
  });
});
