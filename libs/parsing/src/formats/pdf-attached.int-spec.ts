import { describe, expect, it } from 'vitest';
import { makePdf, type PdfAttachment } from '../testing/make-pdf.js';
import { parseBytes, type ParsedBytes } from '../testing/parse-bytes.js';

const PAGE = { lines: ['Contract of the hall'] };
const CSV = Buffer.from('part,count\npump,14\nseal,200\n');

async function read(attached: readonly PdfAttachment[], password?: string): Promise<ParsedBytes> {
  return parseBytes(makePdf([PAGE], password, attached), 'a.pdf');
}

describe('files attached to a .pdf', () => {
  it('are read behind its pages, each under its name', async () => {
    const { outline, document } = await read([
      { name: 'Bestände März.csv', data: CSV, mediaType: 'text/csv' },
      { name: 'note.txt', data: Buffer.from('The deputy is Mr Oduya.'), isPlain: true },
    ]);
    expect(outline).toEqual([
      expect.stringContaining('Contract of the hall'),
      'heading: Bestände März.csv',
      'table: part | count\npump | 14\nseal | 200',
      'heading: note.txt',
      'paragraph: The deputy is Mr Oduya.',
    ]);
    expect(document).toMatchObject({
      pageCount: 1,
      warnings: [],
      fidelity: { pages: 1, attachments_seen: 2, attachments_extracted: 2, tables: 1 },
    });
  });

  it('are left out and counted where they are the document in another form', async () => {
    const { text, document } = await read([
      { name: 'factur-x.xml', data: Buffer.from('<Invoice><ID>1</ID></Invoice>'), relation: 'Alternative' },
    ]);
    expect(text).toBe('Contract of the hall');
    expect(document).toMatchObject({ warnings: [], fidelity: { attachments_of_other_form: 1 } });
  });

  it('are named where they cannot be read', async () => {
    const { document } = await read([
      { name: 'tool.bin', data: Buffer.from([0, 1, 2, 3, 255, 254, 0, 0, 7]) },
      { name: 'empty.txt', data: Buffer.alloc(0) },
    ]);
    expect(document.warnings).toMatchObject([
      { code: 'ATTACHMENT_SKIPPED', detail: expect.stringMatching(/^2 of 2 .*tool\.bin.*empty\.txt/) },
    ]);
  });

  it('are said to be left out of a PDF that is encrypted without a password', async () => {
    const { text, document } = await read([{ name: 'note.txt', data: Buffer.from('words') }], '');
    expect(text).toBe('Contract of the hall');
    expect(document.warnings).toMatchObject([
      { code: 'ATTACHMENT_SKIPPED', detail: expect.stringContaining('encrypted') },
    ]);
  });

  it('are not looked for in PDFs that only have an empty list of them', async () => {
    const bytes = Buffer.concat([makePdf([PAGE]), Buffer.from('\n% /EmbeddedFiles and /EmbeddedFile of no object\n')]);
    const { text, document } = await parseBytes(bytes, 'a.pdf');
    expect(text).toBe('Contract of the hall');
    expect(document.warnings).toEqual([]);
  });
});
