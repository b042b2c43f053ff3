import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeCompound } from '../testing/make-compound.js';
import { makeOdf } from '../testing/make-odf.js';
import { makeDocx, makePackage, makePptx, makeXlsx } from '../testing/make-ooxml.js';
import { withDirectory } from '../testing/parse-bytes.js';
import { lookInside } from './look-inside.js';

const lookAt = (bytes: Buffer, decided = 'application/x-decided'): Promise<string> =>
  withDirectory(async (directory) => {
    const path = join(directory, 'input');
    writeFileSync(path, bytes);
    return lookInside(path, bytes.subarray(0, 8192), decided);
  });

/** The beginning of Word's stream, with its flags. */
function wordStream(flags: number): Buffer {
  const stream = Buffer.alloc(6000);
  stream.writeUInt16LE(0xa5ec, 0);
  stream.writeUInt16LE(flags, 10);
  return stream;
}

describe('lookInside', () => {
  it.each([
    ['a .doc', makeCompound({ WordDocument: wordStream(0) }), 'application/msword'],
    ['an .xls', makeCompound({ Workbook: Buffer.alloc(10) }), 'application/vnd.ms-excel'],
    ['an .xls of 1995', makeCompound({ Book: Buffer.alloc(10) }), 'application/vnd.ms-excel'],
    ['a .ppt', makeCompound({ 'PowerPoint Document': Buffer.alloc(10) }), 'application/vnd.ms-powerpoint'],
    ['a .msg', makeCompound({ '__properties_version1.0': Buffer.alloc(10) }), 'application/vnd.ms-outlook'],
    ['another program', makeCompound({ VisioDocument: Buffer.alloc(10) }), 'application/x-decided'],
    ['a .docx', makeDocx(''), 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['an .xlsx', makeXlsx([]), 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['a .pptx', makePptx([]), 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
    ['an .odp', makeOdf('presentation', ''), 'application/vnd.oasis.opendocument.presentation'],
    [
      'a template',
      makePackage({ mimetype: 'application/vnd.oasis.opendocument.text-template' }),
      'application/vnd.oasis.opendocument.text',
    ],
    ['any archive', makePackage({ 'a.txt': 'x' }), 'application/x-decided'],
    ['text', Buffer.from('words'), 'application/x-decided'],
  ])('tells %s by what lies in it', async (_, bytes, mediaType) => {
    expect(await lookAt(bytes)).toBe(mediaType);
  });

  it('finds streams of a large file, whose directory lies far behind', async () => {
    const bytes = makeCompound({ Data: Buffer.alloc(9_000_000, 1), WordDocument: wordStream(0) });
    expect(await lookAt(bytes)).toBe('application/msword');
  });

  it.each([
    ['a package with a password', makeCompound({ EncryptionInfo: Buffer.alloc(8), EncryptedPackage: Buffer.alloc(8) })],
    ['a .doc with a password', makeCompound({ WordDocument: wordStream(0x0100) })],
    [
      'a .ppt with a password',
      makeCompound({ 'PowerPoint Document': Buffer.alloc(8), EncryptedSummary: Buffer.alloc(8) }),
    ],
  ])('refuses %s', async (_, bytes) => {
    await expect(lookAt(bytes)).rejects.toMatchObject({ code: 'ENCRYPTED' });
  });

  it('refuses a damaged container, also one whose directory runs in a circle', async () => {
    const whole = makeCompound({ WordDocument: wordStream(0) });
    await expect(lookAt(whole.subarray(0, 300))).rejects.toMatchObject({ code: 'MALFORMED' });
    const far = Buffer.from(whole);
    far.writeUInt32LE(0x00ffffff, 48);
    await expect(lookAt(far)).rejects.toMatchObject({ code: 'MALFORMED' });
    const circle = Buffer.from(whole);
    const table = circle.readUInt32LE(76);
    const directory = circle.readUInt32LE(48);
    circle.writeUInt32LE(directory, (table + 1) * 512 + directory * 4);
    expect(await lookAt(circle)).toBe('application/msword');
  });
});
