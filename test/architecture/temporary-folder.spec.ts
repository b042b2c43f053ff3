import { describe, expect, it } from 'vitest';
import { hasRoom } from '../../scripts/lib/temporary-folder.js';

const GIB = 2 ** 30;

describe('the folder in memory takes the temporary files of tests', () => {
  it.each([
    ['with room and memory for all of them', { freeBytes: 12 * GIB, memoryBytes: 16 * GIB }, true],
    ['not where a container made it small', { freeBytes: GIB / 16, memoryBytes: 16 * GIB }, false],
    ['not where the memory is needed for programs', { freeBytes: 12 * GIB, memoryBytes: 4 * GIB }, false],
    ['not where there is none', undefined, false],
  ])('%s', (_case, folder, expected) => {
    expect(hasRoom(folder)).toBe(expected);
  });
});
