import { describe, expect, it } from 'vitest';
import { makeMsg } from '../testing/make-msg.js';
import { parseBytes } from '../testing/parse-bytes.js';
import { checkCompound } from './check-compound.js';

const message = { subject: 'Pumps', body: 'body words '.repeat(1000), from: 'A', to: 'B' };
const sound = (): Buffer => Buffer.from(makeMsg(message));
const directoryOf = (bytes: Buffer): number => (bytes.readUInt32LE(48) + 1) * 512;
const tableOf = (bytes: Buffer): number => (bytes.readUInt32LE(76) + 1) * 512;

describe('checkCompound', () => {
  it('lets a sound file pass', async () => {
    expect(() => checkCompound(sound())).not.toThrow();
    expect((await parseBytes(sound(), 'a.msg')).text).toContain('body words');
  });

  it.each([
    ['an entry is its own brother', (bytes: Buffer) => bytes.writeUInt32LE(1, directoryOf(bytes) + 128 + 68)],
    ['an entry is its own grandchild', (bytes: Buffer) => bytes.writeUInt32LE(0, directoryOf(bytes) + 128 + 76)],
    [
      'the directory goes in a circle',
      (bytes: Buffer) => bytes.writeUInt32LE(bytes.readUInt32LE(48), tableOf(bytes) + bytes.readUInt32LE(48) * 4),
    ],
    ['the table of sectors lies outside', (bytes: Buffer) => bytes.writeUInt32LE(0x00ffffff, 76)],
    ['the list of tables goes in a circle', (bytes: Buffer) => bytes.writeUInt32LE(bytes.readUInt32LE(48), 68)],
    ['sectors have no possible size', (bytes: Buffer) => bytes.writeUInt16LE(31, 30)],
  ])('refuses a file of which %s', async (_what, damage) => {
    const bytes = sound();
    damage(bytes);
    await expect(parseBytes(bytes, 'a.msg')).rejects.toMatchObject({ code: 'MALFORMED' });
    expect(() => checkCompound(bytes)).toThrow('MALFORMED');
  });
});
