import { describe, expect, it } from 'vitest';
import { hasRoom, isNoExec } from '../../scripts/lib/temporary-folder.js';

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

describe('a folder in memory where nothing may be run', () => {
  it.each([
    ['tmpfs /dev/shm tmpfs rw,nosuid,nodev,noexec,relatime 0 0', true],
    ['tmpfs /dev/shm tmpfs rw,nosuid,nodev 0 0', false],
    ['proc /proc proc rw,noexec 0 0', false],
  ])('%s', (mounts, expected) => {
    expect(isNoExec(`proc /proc proc rw 0 0\n${mounts}\n`)).toBe(expected);
  });
});
