import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LiteParse } from '@llamaindex/liteparse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChildProcessParser } from '../pool/child-process-parser.js';
import { findProgram } from '../programs/run-program.js';
import { greyOfPng, makePdf, type GreyPicture } from '../testing/make-pdf.js';
import { parseBytes, readParsed, withDirectory, type ParsedBytes } from '../testing/parse-bytes.js';

const LINES = ['The boiler was inspected', 'on the third of March.'];
const hasTesseract = findProgram('tesseract') !== undefined;

/** A page of text as a scanner sees it. */
async function scan(lines: readonly string[]): Promise<GreyPicture> {
  return withDirectory(async (directory) => {
    const path = join(directory, 'text.pdf');
    writeFileSync(path, makePdf([{ lines }]));
    const [picture] = await new LiteParse({ ocrEnabled: false, quiet: true, dpi: 150 }).screenshot(path, [1]);
    return greyOfPng(picture!.imageBuffer);
  });
}

describe('a .pdf', () => {
  let picture: GreyPicture;
  beforeAll(async () => {
    picture = await scan(LINES);
  });

  it('gives every block the rectangle that it lies in, in points from the top left corner', async () => {
    const { blocks, document } = await parseBytes(
      makePdf([{ lines: ['Hello to the first page'] }, { lines: ['The world of the second'] }]),
      'a.pdf',
    );
    const words = blocks.filter(({ kind }) => kind !== 'page_break');
    expect(words.map(({ page }) => page)).toEqual([1, 2]);
    for (const { box } of words) {
      const [x0, y0, x1, y1] = box!;
      // Set at 60 points from the left, its base line 80 points below the top, in 24 points.
      expect(x0).toBeGreaterThan(55);
      expect(x0).toBeLessThan(65);
      expect(y0).toBeGreaterThan(45);
      expect(y1).toBeGreaterThan(y0);
      expect(y1).toBeLessThan(95);
      expect(x1).toBeGreaterThan(x0 + 30);
    }
    expect(document.fidelity).toMatchObject({ pages: 2, pages_scanned: 0, images_seen: 0 });
    expect(document.warnings).toEqual([]);
  });

  it('names the pages that are pictures', async () => {
    const pages = [{ picture }, { lines: LINES }, { picture }, { picture }];
    const { document } = await parseBytes(makePdf(pages), 'a.pdf');
    expect(document.warnings).toMatchObject([
      { code: 'SCANNED_PAGES', detail: expect.stringContaining('3 of 4 pages are images without text (pages 1, 3–4)') },
    ]);
    expect(document.fidelity).toMatchObject({
      pages_scanned: 3,
      images_seen: 3,
      images_extracted: 0,
      skipped: 'text of pages 1, 3–4',
    });
  });

  it('that is encrypted is read when its user password is empty, and refused otherwise', async () => {
    expect((await parseBytes(makePdf([{ lines: ['Open to all'] }], ''), 'a.pdf')).text).toBe('Open to all');
    await expect(parseBytes(makePdf([{ lines: ['Closed'] }], 'secret'), 'a.pdf')).rejects.toMatchObject({
      code: 'ENCRYPTED',
    });
  });

  it('without any text or picture has little text, and nothing was scanned', async () => {
    const { document } = await parseBytes(makePdf([{}]), 'a.pdf');
    expect(document.warnings).toMatchObject([{ code: 'LOW_TEXT_DENSITY' }]);
  });

  describe('read by OCR in the child process', () => {
    const parser = new ChildProcessParser();
    afterAll(() => parser.close());

    const parse = (bytes: Buffer): Promise<ParsedBytes> =>
      withDirectory(async (workDirectory) => {
        const path = join(workDirectory, 'input');
        writeFileSync(path, bytes);
        return readParsed(await parser.parse({ path, fileName: 'a.pdf', workDirectory, options: { ocr: 'auto' } }));
      });

    it.runIf(hasTesseract)('gives the words of scanned pages with their place', async () => {
      const { text, blocks, document } = await parse(makePdf([{ picture }, { lines: ['Typed words'] }]));
      expect(text.replace(/\s+/g, ' ')).toContain('The boiler was inspected on the third of March.');
      const [first] = blocks;
      expect(first).toMatchObject({ kind: 'paragraph', page: 1 });
      expect(first!.box![0]).toBeGreaterThan(50);
      expect(first!.box![0]).toBeLessThan(70);
      expect(document.warnings).toEqual([]);
      expect(document.fidelity).toMatchObject({ pages_scanned: 1, pages_recognised: 1, images_extracted: 1 });
    });

    it.runIf(!hasTesseract)('says that the program for it is missing', async () => {
      const { document } = await parse(makePdf([{ picture }]));
      expect(document.warnings.map(({ code }) => code)).toEqual(['SCANNED_PAGES', 'OCR_UNAVAILABLE']);
    });
  });
});
