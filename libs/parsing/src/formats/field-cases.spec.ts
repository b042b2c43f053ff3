import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fileURLToPath } from 'node:url';
import { parseBytes, type ParsedBytes } from '../testing/parse-bytes.js';

const FOLDER = fileURLToPath(new URL('../../../../test/fixtures/field/', import.meta.url));

/** Files as people have them, each read wrongly once. */
const CASES: readonly { readonly file: string; readonly says: string; readonly check: (read: ParsedBytes) => void }[] =
  [
    {
      file: '02-zip-stored-pdf/pack.zip',
      says: 'a ZIP whose first entry is a stored PDF is a ZIP',
      check: ({ document, text }) => {
        expect(document.mediaType).toBe('application/zip');
        expect(text).toContain('within fourteen months of delivery');
      },
    },
    {
      file: '08-short-help-page/returns.html',
      says: 'a page with one main part is what stands in it, were banner, menu, popup and footer longer',
      check: ({ document, outline }) => {
        expect(outline).toEqual([
          'heading: Returns',
          'paragraph: Items can be sent back within 45 days of delivery. The refund is paid within 10 working days.',
          'paragraph: Who pays for the parcel?',
          'paragraph: The customer pays 4.90 euros for the parcel.',
        ]);
        expect(document.fidelity).toMatchObject({ skipped: 'navigation and other boilerplate' });
      },
    },
    {
      file: '14-tracked-paragraph-mark/agreement.docx',
      says: 'a deleted paragraph mark joins its paragraphs, and other tracked changes are taken as accepted',
      check: ({ outline }) => {
        expect(outline).toEqual([
          'heading: Supply agreement',
          'paragraph: The notice period is ninety days to the end of a quarter.',
          'paragraph: Moved away:',
          'paragraph: Delivery terms. Penalty is 4 percent a week.',
          'table: Item | Rate\nStandard | 12 EUR',
          'paragraph: Goods are insured by the supplier until handover.',
        ]);
      },
    },
    {
      file: '15-number-format-locale/contracts.xlsx',
      says: 'months are named in the language of the number format',
      check: ({ text }) => {
        expect(text).toContain('Halden lease | 02.11.2023 | 31. Oktober 2028 | 2160:00 | 2024-03-05 14:30');
        expect(text).toContain('28. Februar 2026');
      },
    },
    {
      file: '09-hidden-rows-and-columns/prices.xlsx',
      says: 'hidden rows, columns and sheets are counted and told',
      check: ({ document, text }) => {
        expect(document.fidelity).toMatchObject({
          hidden_sheets: 1,
          hidden_rows: 1,
          hidden_columns: 1,
          hidden_cells: 9,
        });
        expect(document.warnings).toEqual([
          { code: 'HIDDEN_CELLS', detail: expect.stringContaining('9 cells that a reader does not see') as string },
        ]);
        const hidden = (document.unseen ?? []).map(({ start, end }) => text.slice(start, end));
        expect(hidden.join('\n')).toContain('24.9');
        expect(hidden.join('\n')).toContain('Lamp Dune (withdrawn) | 12 | 9');
      },
    },
    {
      file: '16-markdown-comments-front-matter/guide.md',
      says: 'comments of Markdown are no content; headings, code and front matter stay',
      check: ({ document, text, outline }) => {
        expect(text).not.toMatch(/Priya|<!--/);
        expect(document.fidelity).toMatchObject({ comments_left_out: 1, skipped: '1 comments' });
        expect(document.title).toBe('Deploying the edge gateway');
        expect(outline[0]).toContain('last_reviewed: 2025-03-14');
        expect(outline).toContain('heading: Install');
        expect(outline).toContain('heading: Rotate certificates');
        expect(text).toContain('# not a heading: fetch the package');
      },
    },
  ];

describe('files as people have them', () => {
  it.each(CASES)('$file: $says', async ({ file, check }) => {
    const read = await parseBytes(readFileSync(FOLDER + file), file.replace(/^.*\//, ''));
    expect(read.document.textLength).toBeGreaterThan(0);
    check(read);
  });

  it('09-hidden-rows-and-columns/prices.xlsx: what is hidden can be left out', async () => {
    const bytes = readFileSync(`${FOLDER}09-hidden-rows-and-columns/prices.xlsx`);
    const { outline, document } = await parseBytes(bytes, 'prices.xlsx', { hidden: 'exclude' });
    expect(outline).toEqual([
      'heading: Price list',
      'table: Product | Price\nLamp Aster | 49\nLamp Borea | 65\nLamp Cirro | 80',
    ]);
    expect(document.fidelity).toMatchObject({ hidden_cells: 9 });
    expect(document.unseen).toEqual([]);
  });
});
