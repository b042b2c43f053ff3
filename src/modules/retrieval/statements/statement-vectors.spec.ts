import { describe, expect, it, vi } from 'vitest';
import type { Embedder } from '#libs/ai';
import { StatementVectors } from './statement-vectors.service.js';

/** Room for `count` statements of 8 letters with 8 dimensions in a space of 4 letters. */
const roomFor = (count: number): number => count * (32 + 26 + 200);

describe('StatementVectors', () => {
  const embed = vi.fn(async (texts: readonly string[]) => ({
    vectors: texts.map((text) => new Float32Array(8).fill(text.length)),
    usage: null,
  }));
  const embedder = { descriptor: { space: 'test', maxBatchSize: 2 }, embed } as unknown as Embedder;
  const textOf = (n: number): string => `text ${String(n).padStart(3, '0')}`;
  const embedded = async (kept: StatementVectors, ...numbers: number[]): Promise<string[]> => {
    embed.mockClear();
    const found = await kept.of(embedder, numbers.map(textOf), {});
    expect([...found.keys()].toSorted()).toEqual([...new Set(numbers.map(textOf))].toSorted());
    return embed.mock.calls.flatMap(([texts]) => texts);
  };

  it('embeds each text once, and forgets first what was used longest ago when there is no more room', async () => {
    const kept = new StatementVectors(roomFor(3));
    expect(await embedded(kept, 1, 2, 1)).toEqual([textOf(1), textOf(2)]);
    expect(await embedded(kept, 3, 1)).toEqual([textOf(3)]);
    expect(await embedded(kept, 4)).toEqual([textOf(4)]);
    expect(await embedded(kept, 1, 3, 4)).toEqual([]);
    expect(await embedded(kept, 2)).toEqual([textOf(2)]);
  });

  it('gives what it has no room for, and does not grow', async () => {
    const kept = new StatementVectors(0);
    expect(await embedded(kept, 1, 2)).toEqual([textOf(1), textOf(2)]);
    expect(await embedded(kept, 1)).toEqual([textOf(1)]);
  });
});
