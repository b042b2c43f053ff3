import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { makeBomb, makeZip, type ZipMember } from '../testing/make-zip.js';
import { withDirectory } from '../testing/parse-bytes.js';
import type { ArchiveLimits } from './preflight.js';
import { unpackArchive } from './unpack-archive.js';

/** Path → content, or `-` and the reason. */
async function unpack(bytes: Buffer, limits: Partial<ArchiveLimits> = {}): Promise<Record<string, string>> {
  return withDirectory(async (directory) => {
    const path = join(directory, 'a.zip');
    writeFileSync(path, bytes);
    const { signal } = new AbortController();
    const found: Record<string, string> = {};
    for await (const file of unpackArchive(path, { workDirectory: directory, signal, limits })) {
      found[file.path] = file.kind === 'file' ? readFileSync(file.localPath, 'utf8') : `- ${file.reason}`;
    }
    expect(readdirSync(directory)).toEqual(['a.zip']);
    return found;
  });
}

const MIB = 1024 * 1024;
const folders = (count: number): ZipMember[] =>
  Array.from({ length: count }, (_, n) => ({ name: `${n}/`, data: Buffer.alloc(0) }));
const member = (name: string, text = name): ZipMember => ({ name, data: Buffer.from(text) });

describe('unpackArchive', () => {
  it('gives each file with its path, archives inside as folders, and leaves nothing behind', async () => {
    const inner = makeZip([member('c.txt', 'C'), { name: 'deep.zip', data: makeZip([member('d.txt', 'D')]) }]);
    expect(await unpack(makeZip([member('a/b.txt', 'B'), { name: 'in.zip', data: inner }]))).toEqual({
      'a/b.txt': 'B',
      'in.zip/c.txt': 'C',
      'in.zip/deep.zip/d.txt': 'D',
    });
  });

  it('takes no office document for a folder', async () => {
    const book = makeZip([member('[Content_Types].xml', '<Types/>'), member('word/document.xml', '<w/>')]);
    expect(Object.keys(await unpack(makeZip([{ name: 'letter.docx', data: book }])))).toEqual(['letter.docx']);
  });

  it('gives paths that lead nowhere else', async () => {
    const files = await unpack(makeZip([member('../../evil.txt'), member('/etc/x'), member('C:\\y\\z.txt')]));
    expect(Object.keys(files)).toEqual(['evil.txt', 'etc/x', 'y/z.txt']);
  });

  it('names what has no bytes, and leaves out what systems and no one put there', async () => {
    const members = [member('__MACOSX/._a'), member('a/.DS_Store'), member('empty.txt', ''), member('folder/', '')];
    expect(await unpack(makeZip([...members, { ...member('secret.txt'), flags: 1 }]))).toEqual({
      'secret.txt': '- protected by a password',
    });
  });

  it('names links, which hold nothing to read', async () => {
    expect(await unpack(makeZip([member('a.txt'), { ...member('b', '/etc/passwd'), mode: 0o120777 }]))).toEqual({
      'a.txt': 'a.txt',
      b: '- a link to another file',
    });
  });

  it.each<[string, string, string]>([
    ['Größe.txt', 'cp437', 'Größe.txt'],
    ['naïve café.txt', 'cp437', 'naïve café.txt'],
    ['äöü.txt', 'cp437', 'äöü.txt'],
    ['報告書.txt', 'shift_jis', '報告書.txt'],
    ['資料/第2回 会議メモ.txt', 'shift_jis', '資料/第2回 会議メモ.txt'],
    ['ポンプの点検.txt', 'shift_jis', 'ポンプの点検.txt'],
    ['Grüße und 報告.txt', 'utf8', 'Grüße und 報告.txt'],
  ])('gives the name %s written in %s', async (name, charset, expected) => {
    const nameBytes = iconv.encode(name, charset);
    expect(Object.keys(await unpack(makeZip([{ ...member('x'), nameBytes }])))).toEqual([expected]);
  });

  it.each<[string, () => Buffer, Partial<ArchiveLimits>]>([
    [
      'entries that are the same bytes',
      () => {
        const bytes = makeZip([member('a.txt', 'A'.repeat(90)), member('b.txt', 'B'.repeat(90))]);
        // The second entry of the directory begins where the first does.
        bytes.writeUInt32LE(0, bytes.lastIndexOf('PK\x01\x02', 'latin1') + 42);
        return bytes;
      },
      {},
    ],
    [
      'entries beyond all bounds that are no files',
      () =>
        makeZip(
          Array.from({ length: 12 }, (_, n) => ({ name: `${n}.zip`, data: makeZip([...folders(11), member('a')]) })),
        ),
      { maxEntries: 12 },
    ],
    ['a bomb whose header lies', () => makeBomb(40), {}],
    [
      'a bomb inside of an archive',
      () => makeZip([{ name: 'b.zip', data: makeZip([{ name: 'b.txt', data: Buffer.alloc(40 * MIB) }]) }]),
      {},
    ],
    ['too many files', () => makeZip([member('a'), member('b'), member('c')]), { maxEntries: 2 }],
    [
      'too many files in all archives together',
      () => makeZip(['x', 'y'].map((name) => ({ name: `${name}.zip`, data: makeZip([member('a'), member('b')]) }))),
      { maxEntries: 3 },
    ],
    [
      'too many bytes in all archives together',
      () => makeZip(['x', 'y'].map((name) => ({ name, data: randomBytes(3000) }))),
      { maxInflatedBytes: 5999 },
    ],
  ])('ends at %s', async (_what, make, limits) => {
    await expect(unpack(make(), limits)).rejects.toMatchObject({ code: 'ARCHIVE_LIMIT' });
  });

  it('ends when no one wants the rest', async () => {
    await withDirectory(async (directory) => {
      const path = join(directory, 'a.zip');
      writeFileSync(path, makeZip([member('a'), member('b')]));
      const stop = new AbortController();
      const files = unpackArchive(path, { workDirectory: directory, signal: stop.signal });
      await files.next();
      stop.abort(new Error('gone'));
      await expect(files.next()).rejects.toThrow('gone');
    });
  });
});
