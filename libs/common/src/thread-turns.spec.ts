import { describe, expect, it } from 'vitest';
import type { Steps } from './steps.js';
import { CREDIT_MS, MOST_ROUND_MS, QUIET_ROUNDS, ROUND_MS, ThreadTurns } from './thread-turns.js';

/** A thread whose clock goes on by what is computed, and whose rounds begin when they are told to. */
class Thread {
  readonly log: string[] = [];
  /** Milliseconds that were computed in each round. */
  readonly rounds: number[] = [];
  /** How long others are served between two rounds. */
  othersMs = 1;
  private time = 0;
  private next: (() => void) | undefined;
  readonly turns = new ThreadTurns({ now: () => this.time, nextRound: (begin) => (this.next = begin) });

  /** Steps of which a round has four. */
  *work(name: string, steps: number): Steps<string> {
    for (let step = 0; step < steps; step += 1) {
      this.time += ROUND_MS / 4;
      this.log.push(name);
      yield;
    }
    return name;
  }

  async round(): Promise<void> {
    this.time += this.othersMs;
    const [begin, before] = [this.next, this.time];
    this.next = undefined;
    begin?.();
    // What was told of an end goes on before anything else is served.
    await Promise.resolve();
    await Promise.resolve();
    this.rounds.push(this.time - before);
  }

  async roundsUntilIdle(): Promise<void> {
    while (this.next !== undefined) await this.round();
  }
}

describe('turns of computations on a thread', () => {
  it('does at once what is short and alone', async () => {
    const thread = new Thread();
    const done = thread.turns.do(thread.work('a', 3));
    expect(thread.log).toHaveLength(3);
    await expect(done).resolves.toBe('a');
  });

  it('lets all computations together hold the thread for one turn, however many there are', async () => {
    const thread = new Thread();
    const all = Array.from({ length: 8 }, (_, n) => thread.turns.do(thread.work(`a${n}`, 20), { party: 'a' }));
    expect(thread.log).toHaveLength(4);
    await thread.roundsUntilIdle();
    expect(Math.max(...thread.rounds)).toBeLessThanOrEqual(ROUND_MS);
    expect(await Promise.all(all)).toHaveLength(8);
  });

  it('counts short computations that follow one another as one', async () => {
    const thread = new Thread();
    const chain = (async () => {
      for (let n = 0; n < 40; n += 1) await thread.turns.do(thread.work('a', 1), { party: 'a' });
    })();
    for (let n = 0; n < 200; n += 1) await Promise.resolve();
    expect(thread.log.length).toBeLessThanOrEqual(4);
    await thread.roundsUntilIdle();
    await chain;
    expect(Math.max(...thread.rounds)).toBeLessThanOrEqual(ROUND_MS);
    expect(thread.log).toHaveLength(40);
  });

  it('looks less often while nothing arrives, and as often as ever once something does', async () => {
    const thread = new Thread();
    thread.othersMs = 0;
    const long = thread.turns.do(thread.work('a', 4_000));
    for (let n = 0; n < 6 * QUIET_ROUNDS; n += 1) await thread.round();
    expect(thread.rounds[0]).toBeLessThanOrEqual(ROUND_MS);
    expect(Math.max(...thread.rounds)).toBeLessThanOrEqual(MOST_ROUND_MS);
    expect(thread.rounds.at(-1)).toBe(MOST_ROUND_MS);
    thread.othersMs = 1;
    await thread.round();
    await thread.round();
    expect(thread.rounds.at(-1)).toBe(ROUND_MS);
    await thread.roundsUntilIdle();
    await expect(long).resolves.toBe('a');
  });

  it('gives parties turns, however many computations each has', async () => {
    const thread = new Thread();
    const busy = Array.from({ length: 8 }, (_, n) => thread.turns.do(thread.work(`a${n}`, 40), { party: 'a' }));
    await thread.round();
    const quiet = thread.turns.do(thread.work('b', 8), { party: 'b' });
    const before = thread.log.length;
    for (let rounds = 0; rounds < 6; rounds += 1) await thread.round();
    const after = thread.log.slice(before);
    expect(after.filter((name) => name === 'b')).toHaveLength(8);
    await expect(quiet).resolves.toBe('b');
    await thread.roundsUntilIdle();
    await Promise.all(busy);
  });

  it('lets a party that computes rarely go before parties that compute all the time', async () => {
    const thread = new Thread();
    const busy = Array.from({ length: 6 }, (_, n) => thread.turns.do(thread.work('busy', 400), { party: `a${n}` }));
    for (let rounds = 0; rounds < 4 * CREDIT_MS; rounds += 1) await thread.round();
    for (let times = 0; times < 3; times += 1) {
      const quiet = thread.turns.do(thread.work('b', 11), { party: 'b' });
      for (let rounds = 0; rounds < 3; rounds += 1) await thread.round();
      await expect(Promise.race([quiet, Promise.resolve('waits')])).resolves.toBe('b');
      for (let rounds = 0; rounds < 30; rounds += 1) await thread.round();
    }
    await thread.roundsUntilIdle();
    await Promise.all(busy);
  });

  it('gives only a small credit to a party that comes late with much to compute', async () => {
    const thread = new Thread();
    const early = thread.turns.do(thread.work('early', 4_000), { party: 'early' });
    for (let rounds = 0; rounds < 400; rounds += 1) await thread.round();
    const late = thread.turns.do(thread.work('late', 2_000), { party: 'late' });
    const before = thread.log.length;
    for (let rounds = 0; rounds < 4 * (CREDIT_MS / ROUND_MS); rounds += 1) await thread.round();
    const after = thread.log.slice(before);
    const own = after.filter((name) => name === 'early').length;
    expect(own / after.length).toBeGreaterThan(0.3);
    expect(own / after.length).toBeLessThan(0.45);
    await thread.roundsUntilIdle();
    await Promise.all([early, late]);
  });

  it('ends what is not wanted any more, and fails with what a step throws', async () => {
    const thread = new Thread();
    const gone = new AbortController();
    const left = thread.turns.do(thread.work('a', 100), { signal: gone.signal });
    gone.abort(new Error('gone'));
    const failing = thread.turns.do(
      (function* (): Steps<void> {
        yield;
        throw new RangeError('second');
      })(),
    );
    const failed = expect(failing).rejects.toThrow('second');
    const ended = expect(left).rejects.toThrow('gone');
    await thread.roundsUntilIdle();
    await Promise.all([failed, ended]);
    expect(thread.log).toHaveLength(4);
  });
});
