import { describe, expect, it } from 'vitest';
import { MemoryRelief } from './memory-relief.js';

const MIB = 1024 * 1024;

describe('relief of memory', () => {
  const collectionsOf = (heap: number): string[] => {
    const collected: string[] = [];
    let resident = 100 * MIB;
    const relief = new MemoryRelief({
      resident: () => resident,
      heap: () => heap,
      collect: ({ type }) => void collected.push(type),
    });
    for (resident of [120 * MIB, 147 * MIB, 149 * MIB, 190 * MIB, 200 * MIB]) relief.relieve();
    return collected;
  };

  it('collects all garbage after each growth while little is alive', () => {
    expect(collectionsOf(60 * MIB)).toEqual(['major', 'major']);
  });

  it('leaves it to the runtime to go through much that is alive', () => {
    expect(collectionsOf(200 * MIB)).toEqual(['minor', 'minor']);
  });
});
