import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { makeBomb, makeZip, type ZipMember } from '../testing/make-zip.js';
import { parseBytes } from '../testing/parse-bytes.js';

const member = (name: string, data: Buffer | string, more: Partial<ZipMember> = {}): ZipMember => ({
  name,
  data: Buffer.from(data),
  ...more,
});

describe('a .zip', () => {
  it('gives each file as a section under its path, read by its own parser', async () => {
    const zip = makeZip([
      member('docs/notes.md', '# Notes\n\nwords'),
      member('docs/', ''),
      member('data/table.csv', 'a,b\n1,2\n'),
      member('__MACOSX/docs/._notes.md', 'junk'),
      member('src/__init__.py', ''),
    ]);
    const { outline, blocks, document, text } = await parseBytes(zip, 'all.zip');
    expect(outline).toEqual([
      'heading: docs/notes.md',
      'heading: Notes',
      'paragraph: words',
      'heading: data/table.csv',
      'table: a | b\n1 | 2',
    ]);
    expect(blocks.map(({ level }) => level)).toEqual([1, 2, undefined, 1, undefined]);
    expect(text).toBe('docs/notes.md\n\n# Notes\n\nwords\n\ndata/table.csv\n\na | b\n1 | 2');
    expect(document).toMatchObject({
      mediaType: 'application/zip',
      warnings: [],
      fidelity: { attachments_seen: 2, attachments_extracted: 2, tables: 1, table_rows: 2 },
    });
  });

  it('names what it leaves out: unsupported, encrypted and damaged files', async () => {
    const zip = makeZip([
      member('a.txt', 'kept'),
      member('song.wav', 'RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\0\0\0\0'),
      member('secret.txt', 'x', { flags: 1 }),
      member('broken.pdf', '%PDF-1.4 nothing'),
    ]);
    const { outline, document } = await parseBytes(zip, 'all.zip');
    expect(outline).toEqual(['heading: a.txt', 'paragraph: kept']);
    const [warning] = document.warnings;
    expect(warning).toMatchObject({ code: 'ATTACHMENT_SKIPPED' });
    expect(warning!.detail).toMatch(/song\.wav.*secret\.txt \(protected by a password\).*broken\.pdf/);
    expect(document.fidelity).toMatchObject({
      attachments_seen: 4,
      attachments_extracted: 1,
      skipped: 'song.wav; secret.txt; broken.pdf',
    });
  });

  it('reads archives inside of archives to a depth of two', async () => {
    const inner = makeZip([
      member('deep.txt', 'deep words'),
      member('more.zip', makeZip([member('x.txt', 'too deep')])),
    ]);
    const { text, document } = await parseBytes(makeZip([member('a.txt', 'top'), member('in.zip', inner)]), 'all.zip');
    expect(text).toContain('deep words');
    expect(text).not.toContain('too deep');
    expect(document.warnings).toMatchObject([
      { code: 'ATTACHMENT_SKIPPED', detail: expect.stringContaining('more.zip') },
    ]);
    expect(document.fidelity).toMatchObject({ attachments_seen: 4, attachments_extracted: 3 });
  });

  it('takes paths as labels only, and file names in UTF-8 and in the old DOS set', async () => {
    const zip = makeZip([
      member('../../etc/passwd.txt', 'a'),
      member('C:\\temp\\b.txt', 'b'),
      member('x', 'c', { nameBytes: iconv.encode('Größe.txt', 'cp437') }),
      member('Übersicht.txt', 'd', { flags: 0x800 }),
      member('日本.txt', 'e'),
    ]);
    const { outline } = await parseBytes(zip, 'all.zip');
    expect(outline.filter((line) => line.startsWith('heading'))).toEqual([
      'heading: etc/passwd.txt',
      'heading: temp/b.txt',
      'heading: Größe.txt',
      'heading: Übersicht.txt',
      'heading: 日本.txt',
    ]);
  });

  it('fails as a whole when nothing in it can be read', async () => {
    await expect(
      parseBytes(makeZip([member('a.bin', Buffer.from([0, 1, 2, 3, 4, 5]))]), 'a.zip'),
    ).rejects.toMatchObject({
      code: 'UNSUPPORTED_TYPE',
    });
    await expect(parseBytes(makeZip([]), 'a.zip')).rejects.toMatchObject({ code: 'UNSUPPORTED_TYPE' });
    await expect(parseBytes(makeZip([member('a.txt', 'x', { flags: 1 })]), 'a.zip')).rejects.toMatchObject({
      code: 'ENCRYPTED',
    });
  });

  it('stops at a decompression bomb, also one inside of another archive', async () => {
    const bomb = makeZip([member('big.txt', Buffer.alloc(40 * 1024 * 1024, 32), { claimedSize: 10 })]);
    await expect(parseBytes(bomb, 'a.zip')).rejects.toMatchObject({ code: 'ARCHIVE_LIMIT' });
    const { document } = await parseBytes(
      makeZip([member('a.txt', 'kept'), member('b.zip', bomb), member('c.docx', makeBomb(40))]),
      'a.zip',
    );
    expect(document.fidelity).toMatchObject({ attachments_extracted: 1, skipped: 'b.zip; c.docx' });
  });
});
