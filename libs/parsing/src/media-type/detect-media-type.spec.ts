import { describe, expect, it } from 'vitest';
import { detectMediaType } from './detect-media-type.js';

const OLE = Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), Buffer.alloc(600)]);
const ENCRYPTED = Buffer.concat([OLE, Buffer.from('EncryptedPackage', 'utf16le'), Buffer.alloc(64)]);
const ZIP = Buffer.from([0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8, 0]);
const PNG = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0', 'latin1'),
  Buffer.alloc(80),
]);

async function problemOf(head: Buffer, name: string): Promise<string | undefined> {
  return (await detectMediaType(head, name)).problem?.code;
}

describe('detectMediaType', () => {
  it.each([
    ['notes.txt', 'text/plain'],
    ['notes.MD', 'text/markdown'],
    ['page.htm', 'text/html'],
    ['table.csv', 'text/csv'],
    ['program.xyz', 'text/plain'],
    ['noextension', 'text/plain'],
    ['Dockerfile', 'text/x-dockerfile'],
    ['build/Makefile', 'text/x-makefile'],
    ['main.go', 'text/x-go'],
    ['a.ipynb', 'application/x-ipynb+json'],
    ['nginx.conf', 'text/plain'],
  ])('takes %s with text in it for %s', async (name, mediaType) => {
    expect(await detectMediaType(Buffer.from('some words'), name)).toMatchObject({ mediaType });
    expect(await problemOf(Buffer.from('some words'), name)).toBeUndefined();
  });

  it('reads past any number of comments, each once', async () => {
    const comments = (count: number): Buffer => Buffer.from('<!---->'.repeat(count));
    expect(await detectMediaType(Buffer.concat([comments(100), Buffer.from('<html>')]), 'page')).toMatchObject({
      mediaType: 'text/html',
    });
    expect(await detectMediaType(Buffer.concat([comments(140), Buffer.from('x')]), 'page')).toMatchObject({
      mediaType: 'text/plain',
    });
  });

  it('takes the declared type only when name and content say nothing better', async () => {
    const text = Buffer.from('some words');
    expect(await detectMediaType(text, 'blob', 'text/markdown; charset=utf-8')).toMatchObject({
      mediaType: 'text/markdown',
    });
    expect(await detectMediaType(text, 'a.txt', 'text/markdown')).toMatchObject({ mediaType: 'text/plain' });
    expect(await detectMediaType(text, 'blob', 'application/pdf')).toMatchObject({ mediaType: 'text/plain' });
  });

  it('recognises HTML without an extension, also after a comment', async () => {
    const page = Buffer.from('\n<!-- made by hand --><!DOCTYPE html><p>x');
    expect(await detectMediaType(page, 'download')).toMatchObject({ mediaType: 'text/html', basis: 'content' });
  });

  it('recognises XML and a message by how they begin', async () => {
    expect(await detectMediaType(Buffer.from('<?xml version="1.0"?><a/>'), 'data')).toMatchObject({
      mediaType: 'application/xml',
    });
    const mail = Buffer.from('Received: from a\r\n by b\r\nFrom: a@example.org\r\nSubject: x\r\n\r\nwords');
    expect(await detectMediaType(mail, 'download')).toMatchObject({ mediaType: 'message/rfc822' });
    const letter = Buffer.from('From: the office\nTo: all\nSubject: holidays\n\nwords');
    expect(await detectMediaType(letter, 'download')).toMatchObject({ mediaType: 'text/plain' });
  });

  it('refuses a .pdf that is text and says what to do', async () => {
    const decision = await detectMediaType(Buffer.from('only text here'), 'report.pdf');
    expect(decision.problem).toEqual({
      code: 'TYPE_MISMATCH',
      detail: 'The file is named .pdf but its content is plain text; rename it to .txt or upload the real .pdf file.',
    });
  });

  it.each(['report.docx', 'report.txt', 'report.html', 'report.csv', 'report.zip', 'report.eml'])(
    'takes a PDF named %s for a PDF',
    async (name) => {
      expect(await detectMediaType(Buffer.from('%PDF-1.7\n'), name)).toEqual({
        mediaType: 'application/pdf',
        basis: 'content',
      });
    },
  );

  it.each(['letter.pdf', 'letter.txt', 'letter.md', 'letter.html', 'letter.xls', 'letter.eml'])(
    'takes what begins as an archive and is named %s for an archive, whose kind its parts tell',
    async (name) => {
      expect(await detectMediaType(ZIP, name)).toEqual({ mediaType: 'application/zip', basis: 'content' });
    },
  );

  it.each(['page.doc', 'page.xls', 'page'])('takes a saved page named %s for a saved page', async (name) => {
    const wiki =
      'Date: Tue, 5 Mar 2024 10:12:44 +0000\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\tboundary="b"';
    const head = Buffer.from(`${wiki}\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>words`);
    expect(await detectMediaType(head, name)).toEqual({ mediaType: 'multipart/related', basis: 'content' });
    expect((await detectMediaType(Buffer.from(`${wiki}\nis what it says.`), 'note')).mediaType).toBe('text/plain');
  });

  it('accepts a PDF whose mark comes after other bytes', async () => {
    expect(await problemOf(Buffer.from('\r\n\r\n%PDF-1.7\n'), 'a.pdf')).toBeUndefined();
  });

  it.each([
    ['a ZIP', Buffer.concat([ZIP, Buffer.from('%PDF-1.7\n')]), 'pack.zip', 'application/zip'],
    ['a ZIP without a telling name', Buffer.concat([ZIP, Buffer.from('%PDF-1.7\n')]), 'pack', 'application/zip'],
    ['an old Office file', Buffer.concat([OLE, Buffer.from('%PDF-1.7\n')]), 'mail', 'application/x-cfb'],
    ['a picture', Buffer.concat([PNG, Buffer.from('%PDF-1.7\n')]), 'picture', 'image/png'],
    [
      'a packed file',
      Buffer.concat([Buffer.from('1f8b0800', 'hex'), Buffer.from('%PDF-1.7\n')]),
      'x',
      'application/gzip',
    ],
  ])('takes %s with the mark of a PDF further in for what it begins as', async (_kind, head, name, mediaType) => {
    expect((await detectMediaType(head, name)).mediaType).toBe(mediaType);
    expect((await detectMediaType(head, 'a.pdf')).mediaType).toBe(mediaType);
  });

  it('takes a PDF with bytes of no kind before its mark for a PDF, whatever its name says', async () => {
    const head = Buffer.concat([Buffer.from('0001ff02fe03fd04fc05', 'hex'), Buffer.from('%PDF-1.7\n')]);
    expect(await detectMediaType(head, 'a.pdf')).toEqual({ mediaType: 'application/pdf', basis: 'extension' });
    expect(await detectMediaType(head, 'a')).toEqual({ mediaType: 'application/pdf', basis: 'content' });
  });

  it('does not take a text about PDF for a PDF', async () => {
    expect(await problemOf(Buffer.from('A file begins with %PDF-1.7'), 'a.txt')).toBeUndefined();
  });

  it('reports an empty file before anything else', async () => {
    expect(await detectMediaType(Buffer.alloc(0), 'a.docx')).toMatchObject({ problem: { code: 'EMPTY_FILE' } });
  });

  it('refuses bytes that cannot be text under a text name', async () => {
    const junk = Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * at * 31 + at * 7) % 256));
    expect(await detectMediaType(junk, 'a.txt')).toMatchObject({ problem: { code: 'TYPE_MISMATCH' } });
    expect(await detectMediaType(PNG, 'a.md')).toMatchObject({
      mediaType: 'image/png',
      problem: { code: 'TYPE_MISMATCH' },
    });
  });

  it.each([
    ['image/tiff', Buffer.from('49492a00080000000a0000010400010000008002', 'hex')],
    ['image/bmp', Buffer.from('424d36100e000000000036000000280000008002', 'hex')],
    ['audio/wav', Buffer.from('5249464624100e0057415645666d742010000000', 'hex')],
  ])(
    'takes %s for what it begins as, though its data has no byte that a text has not',
    async (mediaType, beginning) => {
      const head = Buffer.concat([beginning, Buffer.alloc(5000, 0x99)]);
      expect(await detectMediaType(head, 'plan')).toEqual({ mediaType, basis: 'content' });
      expect(await detectMediaType(head, 'plan.txt')).toMatchObject({ mediaType, problem: { code: 'TYPE_MISMATCH' } });
    },
  );

  it('takes text that begins as a picture does for text', async () => {
    const words = 'BMW and Audi met. '.repeat(20);
    for (const text of [words, `${words}\0\0${words}`, `II* means two. ${words}`])
      expect(await detectMediaType(Buffer.from(text, 'latin1'), 'notes')).toMatchObject({ mediaType: 'text/plain' });
  });

  it('names the type of binary content under an unknown name', async () => {
    expect(await detectMediaType(PNG, 'picture')).toEqual({ mediaType: 'image/png', basis: 'content' });
  });

  it('takes text with a stray NUL, in an old encoding or in UTF-16 for text', async () => {
    expect(await problemOf(Buffer.from('a\0b'), 'a.txt')).toBeUndefined();
    const cyrillic = Buffer.from('cff0e8e2e5f22c20eceef020efeef1ebe5e4eee2e0f2e5ebfc'.repeat(3), 'hex');
    expect(await problemOf(cyrillic, 'a.txt')).toBeUndefined();
    expect(await problemOf(Buffer.from('wide words', 'utf16le'), 'a.txt')).toBeUndefined();
  });

  it('tells an encrypted package from an old Office file', async () => {
    expect(await detectMediaType(ENCRYPTED, 'a.docx')).toMatchObject({ problem: { code: 'ENCRYPTED' } });
    expect(await detectMediaType(OLE, 'a.docx')).toEqual({ mediaType: 'application/x-cfb', basis: 'content' });
    expect(await detectMediaType(OLE, 'a.txt')).toEqual({ mediaType: 'application/x-cfb', basis: 'content' });
    expect(await detectMediaType(OLE, 'a.doc')).toEqual({ mediaType: 'application/msword', basis: 'extension' });
  });

  it.each([
    ['{\\rtf1 words}', 'letter.doc', 'application/rtf'],
    ['{\\rtf1 words}', 'letter.docx', 'application/rtf'],
    ['{\\rtf1 words}', 'letter', 'application/rtf'],
    ['{\\rtf1 words}', 'letter.txt', 'application/rtf'],
    ['<html><table></table>', 'report.xls', 'text/html'],
    ['<table border="1">\t<tr><td>a</td>', 'report.xls', 'text/html'],
    ['<!-- made -->\n<style>.a{}</style><table>', 'report.xls', 'text/html'],
    ['<div class=Section1><p>words', 'letter.doc', 'text/html'],
    ['<?xml version="1.0"?><Workbook/>', 'report.xls', 'application/xml'],
    ['a\tb\n1\t2\n', 'report.xls', 'text/tab-separated-values'],
  ])('takes %j named %s for what it is: %s', async (content, name, mediaType) => {
    expect(await detectMediaType(Buffer.from(content), name)).toEqual({ mediaType, basis: 'content' });
  });

  it('refuses words under the name of an office program or a PDF', async () => {
    expect(await detectMediaType(ZIP, 'a.doc')).toEqual({ mediaType: 'application/zip', basis: 'content' });
    expect(await detectMediaType(ZIP, 'a.rtf')).toEqual({ mediaType: 'application/zip', basis: 'content' });
    expect(await problemOf(Buffer.from('only words'), 'a.doc')).toBe('TYPE_MISMATCH');
    expect(await problemOf(Buffer.from('only words'), 'a.xls')).toBe('TYPE_MISMATCH');
    expect(await problemOf(Buffer.from('<tablets> are words'), 'a.xls')).toBe('TYPE_MISMATCH');
    expect(await problemOf(Buffer.from('<table><tr><td>a'), 'a.xlsx')).toBe('TYPE_MISMATCH');
    expect(await problemOf(Buffer.from('<html><p>log in'), 'a.docx')).toBe('TYPE_MISMATCH');
    expect(await problemOf(Buffer.from('<html><p>log in'), 'a.pdf')).toBe('TYPE_MISMATCH');
    expect(await problemOf(Buffer.from('<!DOCTYPE html><p>what a %PDF-1.4 is'), 'a.pdf')).toBe('TYPE_MISMATCH');
  });

  it.each(['docm', 'dotx', 'xlsm', 'xltx', 'pptm', 'ppsx', 'potx', 'ott', 'ots', 'otp'])(
    'takes a .%s for the type that it varies',
    async (extension) => {
      const { mediaType, problem } = await detectMediaType(ZIP, `a.${extension}`);
      expect(problem).toBeUndefined();
      expect(mediaType).toMatch(/^application\/vnd\.(?:openxmlformats|oasis)/);
    },
  );

  it('believes the extension of an archive', async () => {
    const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    expect(await detectMediaType(ZIP, 'a.docx')).toEqual({ mediaType: docx, basis: 'extension' });
  });
});
