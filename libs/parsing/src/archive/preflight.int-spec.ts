import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeBomb, makeZip, type ZipMember } from '../testing/make-zip.js';
import { parseBytes, withDirectory } from '../testing/parse-bytes.js';
import { checkArchive, DEFAULT_ARCHIVE_LIMITS, type ArchiveLimits, type ArchiveReport } from './preflight.js';

async function check(bytes: Buffer, limits: Partial<ArchiveLimits> = {}): Promise<ArchiveReport> {
  return withDirectory((directory) => {
    const path = join(directory, 'a.zip');
    writeFileSync(path, bytes);
    return checkArchive(path, bytes.length, { ...DEFAULT_ARCHIVE_LIMITS, ...limits });
  });
}

const member = (name: string, data = Buffer.from('x')): ZipMember => ({ name, data });

describe('checkArchive', () => {
  it('names the parts of a harmless archive and counts what it inflates', async () => {
    const report = await check(makeZip([member('a.xml', Buffer.alloc(5000)), member('dir/b.xml')]));
    expect([...report.names]).toEqual(['a.xml', 'dir/b.xml']);
    expect(report.inflatedBytes).toBe(5001);
  });

  it('stops a bomb whose headers lie about its size', async () => {
    await expect(check(makeBomb(40))).rejects.toMatchObject({ code: 'ARCHIVE_LIMIT' });
  });

  it('counts the bytes that are really inflated, over all entries', async () => {
    const data = randomBytes(3000);
    const zip = makeZip([
      { name: 'a', data, claimedSize: 1 },
      { name: 'b', data, claimedSize: 1 },
    ]);
    await expect(check(zip, { maxInflatedBytes: 5999 })).rejects.toMatchObject({ code: 'ARCHIVE_LIMIT' });
    await expect(check(zip, { maxInflatedBytes: 6000 })).resolves.toMatchObject({ inflatedBytes: 6000 });
  });

  it('refuses too many parts', async () => {
    const zip = makeZip(Array.from({ length: 11 }, (_, at) => member(`p${at}`)));
    await expect(check(zip, { maxEntries: 10 })).rejects.toMatchObject({ code: 'ARCHIVE_LIMIT' });
  });

  it.each(['../evil', 'a/../../evil', '/etc/passwd', 'C:\\evil', 'a\\b', 'a/'.repeat(40)])(
    'refuses the path %s',
    async (name) => {
      await expect(check(makeZip([member(name)]))).rejects.toMatchObject({ code: 'ARCHIVE_LIMIT' });
    },
  );

  it('refuses a part that is there twice, for readers would disagree about it', async () => {
    await expect(check(makeZip([member('a'), member('a')]))).rejects.toMatchObject({ code: 'MALFORMED' });
  });

  it('calls a truncated archive malformed', async () => {
    const whole = makeZip([member('a', randomBytes(2000))]);
    await expect(check(whole.subarray(0, 1500))).rejects.toMatchObject({ code: 'MALFORMED' });
    const damaged = Buffer.from(whole);
    damaged.fill(0xff, 40, 400);
    await expect(check(damaged)).rejects.toMatchObject({ code: 'MALFORMED' });
  });
});

describe('a .docx', () => {
  it('without its main part is malformed', async () => {
    await expect(parseBytes(makeZip([member('hello.txt')]), 'a.docx')).rejects.toMatchObject({ code: 'MALFORMED' });
  });

  it('with a main part that is not XML is malformed', async () => {
    await expect(parseBytes(makeZip([member('word/document.xml')]), 'a.docx')).rejects.toMatchObject({
      code: 'MALFORMED',
    });
  });
});
