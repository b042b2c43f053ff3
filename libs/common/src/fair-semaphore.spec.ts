import { describe, expect, it } from 'vitest';
import { FairSemaphore } from './fair-semaphore.js';

/** Parties that take places, in the order in which they get them. */
class Takers {
  readonly order: string[] = [];
  private readonly places: FairSemaphore;

  constructor(count: number) {
    this.places = new FairSemaphore(count);
  }

  async take(...parties: readonly string[]): Promise<void> {
    for (const party of parties) void this.places.take(party).then(() => this.order.push(party));
    await settled();
  }

  async give(party: string): Promise<void> {
    this.places.give(party);
    await settled();
  }
}

async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('places', () => {
  it('are all there for a party that is alone', async () => {
    const takers = new Takers(4);
    await takers.take('a', 'a', 'a', 'a', 'a');
    expect(takers.order).toEqual(['a', 'a', 'a', 'a']);
    await takers.give('a');
    expect(takers.order).toHaveLength(5);
  });

  it('are at most half for one party while another one waits, which comes before what waited longer', async () => {
    const takers = new Takers(2);
    await takers.take('a', 'a', 'a', 'a', 'b', 'b');
    await takers.give('a');
    await takers.give('a');
    expect(takers.order).toEqual(['a', 'a', 'b', 'a']);
    await takers.give('b');
    expect(takers.order).toEqual(['a', 'a', 'b', 'a', 'b']);
    await takers.give('a');
    await takers.give('b');
    expect(takers.order).toEqual(['a', 'a', 'b', 'a', 'b', 'a']);
  });

  it('go on where there is but one', async () => {
    const takers = new Takers(1);
    await takers.take('a', 'a', 'a', 'b');
    await takers.give('a');
    await takers.give('a');
    await takers.give('b');
    expect(takers.order).toEqual(['a', 'a', 'b', 'a']);
  });
});
