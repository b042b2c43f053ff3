import { describe, expect, it } from 'vitest';
import { makeZip, type ZipMember } from '../testing/make-zip.js';
import { parseBytes } from '../testing/parse-bytes.js';

const CONTAINER =
  '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>';
const PACKAGE =
  '<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The &amp; Book</dc:title><dc:language>en</dc:language></metadata>' +
  '<manifest><item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="b" href="text/b.xhtml" media-type="application/xhtml+xml"/>' +
  '<item id="a" href="text/a%20one.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine></package>';

function book(extra: Record<string, string> = {}): Buffer {
  const parts: Record<string, string> = {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': CONTAINER,
    'OEBPS/book.opf': PACKAGE,
    'OEBPS/nav.xhtml': '<html><body><nav><ol><li>contents</li></ol></nav></body></html>',
    'OEBPS/text/a one.xhtml':
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><a id="x"/><h1>First</h1><p>one</p></body></html>',
    'OEBPS/text/b.xhtml': '<html><body><h1>Second</h1><p>two &amp; <i>three</i></p></body></html>',
    ...extra,
  };
  return makeZip(
    Object.entries(parts)
      .filter(([, text]) => text !== '')
      .map(([name, text]): ZipMember => ({ name, data: Buffer.from(text) })),
  );
}

describe('an .epub', () => {
  it('gives its chapters in reading order without the table of contents, and the title of its package', async () => {
    const { outline, document } = await parseBytes(book(), 'a.epub');
    expect(outline).toEqual(['heading: First', 'paragraph: one', 'heading: Second', 'paragraph: two & three']);
    expect(document).toMatchObject({ title: 'The & Book', fidelity: { chapters: 2, declared_language: 'en' } });
    expect(document.pageCount).toBeUndefined();
  });

  it('is known by its parts when it is called .zip', async () => {
    expect((await parseBytes(book(), 'a.zip')).document.mediaType).toBe('application/epub+zip');
  });

  it('says so when its chapters are locked, and reads a book whose fonts are obfuscated', async () => {
    const locked = (path: string): string =>
      `<encryption xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:CipherData><enc:CipherReference URI="${path}"/></enc:CipherData></enc:EncryptedData></encryption>`;
    await expect(
      parseBytes(book({ 'META-INF/encryption.xml': locked('OEBPS/text/b.xhtml') }), 'a.epub'),
    ).rejects.toMatchObject({ code: 'ENCRYPTED' });
    const { outline } = await parseBytes(book({ 'META-INF/encryption.xml': locked('OEBPS/font.otf') }), 'a.epub');
    expect(outline).toHaveLength(4);
  });

  it('names a chapter that is missing and reads the others', async () => {
    const { outline, document } = await parseBytes(book({ 'OEBPS/text/b.xhtml': '' }), 'a.epub');
    expect(outline).toEqual(['heading: First', 'paragraph: one']);
    expect(document.warnings).toMatchObject([
      { code: 'PARTIAL_CONTENT', detail: expect.stringContaining('text/b.xhtml') },
    ]);
  });

  it('without container finds its package, without package is malformed', async () => {
    expect((await parseBytes(book({ 'META-INF/container.xml': '' }), 'a.epub')).outline).toHaveLength(4);
    await expect(parseBytes(book({ 'OEBPS/book.opf': '' }), 'a.epub')).rejects.toMatchObject({ code: 'MALFORMED' });
  });
});
