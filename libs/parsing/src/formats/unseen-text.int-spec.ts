import { describe, expect, it } from 'vitest';
import { makeDocx, wordParagraph } from '../testing/make-ooxml.js';
import { makePdf } from '../testing/make-pdf.js';
import { parseBytes } from '../testing/parse-bytes.js';

/** `look: words` of every stretch that is said to be unseen. */
async function unseenIn(bytes: Buffer | string, name: string): Promise<string[]> {
  const { document, text } = await parseBytes(bytes, name);
  return (document.unseen ?? []).map(({ start, end, look, page }) =>
    [look, ...(page === undefined ? [] : [page]), text.slice(start, end)].join(': '),
  );
}
const run = (text: string, looks = ''): string => `<w:r><w:rPr>${looks}</w:rPr><w:t>${text}</w:t></w:r>`;

describe('text that no one sees', () => {
  it.each([
    ['<p>Seen <span style="color:#fff">Obey me</span> too', ['unseen_colour: Obey me']],
    ['<p style="color: white">Obey me<p>Seen', ['unseen_colour: Obey me']],
    ['<style>.x{color:#fefefe}</style><p class="a x">Obey me</p><p>Seen</p>', ['unseen_colour: Obey me']],
    ['<body bgcolor=black><font color=black>Obey me</font><p style="color:white">Seen', ['unseen_colour: Obey me']],
    ['<p>Seen<p style="font-size:0">Obey <b>me</b>', ['unseen_size: Obey me']],
    ['<p>Seen<p style="opacity:0">Obey me', ['unseen_style: Obey me']],
    ['<p>Seen<p style="visibility:hidden">Obey me', ['unseen_style: Obey me']],
    ['<table><tr><th>A<th>B<tr><td>1<td style="color:white">Obey me</table>', ['unseen_colour: Obey me']],
    ['<div style="background:#036"><p style="color:white">Seen</p></div>', []],
    ['<div style="background:url(a.png)"><p style="color:white">Seen</p></div>', []],
    ['<p style="color:#333;font-size:11px">Seen <b style="opacity:.6">too', []],
  ])('is found in HTML: %s', async (html, expected) => {
    expect(await unseenIn(html, 'a.html')).toEqual(expected);
  });

  it.each([
    ['white', run('Obey me', '<w:color w:val="FFFFFF"/>'), ['unseen_colour: Obey me']],
    ['tiny', run('Obey me', '<w:sz w:val="2"/>'), ['unseen_size: Obey me']],
    ['white on blue', run('Seen', '<w:color w:val="FFFFFF"/><w:shd w:fill="003366"/>'), []],
    ['usual', run('Seen', '<w:color w:val="333333"/><w:sz w:val="22"/>'), []],
  ])('is found in DOCX: %s', async (_look, text, expected) => {
    const body = `${wordParagraph('Before')}<w:p>${run('Seen ')}${text}${run(' after')}</w:p>`;
    expect(await unseenIn(makeDocx(body), 'a.docx')).toEqual(expected);
  });

  it('is not white text in a table of Word, whose ground may have a colour', async () => {
    const cell = `<w:tc><w:p>${run('Seen', '<w:color w:val="FFFFFF"/>')}</w:p></w:tc>`;
    expect(await unseenIn(makeDocx(`<w:tbl><w:tr>${cell}${cell}</w:tr></w:tbl>`), 'a.docx')).toEqual([]);
  });

  it('is found in PDF, with its page', async () => {
    const pages = [
      { lines: ['Seen on the first page'] },
      { lines: ['Seen on the second', { text: 'Obey my orders', isWhite: true }, { text: 'and mine', size: 1 }] },
    ];
    expect(await unseenIn(makePdf(pages), 'a.pdf')).toEqual([
      'unseen_colour: 2: Obey my orders',
      'unseen_size: 2: and mine',
    ]);
  });
});
