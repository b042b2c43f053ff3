import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LiteParse } from '@llamaindex/liteparse';
import { describe, expect, it } from 'vitest';
import { ParseOutput } from '../output/parse-output.js';
import { makePdf, type GreyPicture, type PdfPage } from '../testing/make-pdf.js';
import { withDirectory } from '../testing/parse-bytes.js';
import { describePdf } from './pdf/describe-pdf.js';
import { WordCounts } from '../hyphens/word-counts.js';
import { PageBodies } from './pdf/page-bodies.js';
import { PdfPageWriter, type ReadPicture } from './pdf/pdf-page-writer.js';
import { withoutUnmapped } from './pdf/unmapped-text.js';

const picture: GreyPicture = { width: 60, height: 85, pixels: Buffer.alloc(60 * 85, 200) };
const LAYER = [
  'The boiler of the northern building was inspected',
  'in March, and every valve that leaked was replaced',
  'by the company Brandt from the harbour town.',
];
const OTHER =
  'Minutes of the annual meeting: the chairman welcomes forty members, thanks the former treasurer and opens the evening.';

/** Writes the pages, whose pictures say what `read` answers. */
async function write(pages: readonly PdfPage[], read: ReadPicture): Promise<PdfPageWriter> {
  return withDirectory(async (directory) => {
    const path = join(directory, 'a.pdf');
    writeFileSync(path, makePdf(pages));
    const parser = new LiteParse({
      ocrEnabled: false,
      quiet: true,
      outputFormat: 'json',
      extractBlocks: true,
      includeComplexity: true,
    });
    const output = new ParseOutput(directory, 100_000);
    const writer = new PdfPageWriter(output, read, async () => []);
    const bodies = new PageBodies(true, new WordCounts());
    for (const page of (await parser.parse(path)).pages) {
      await writer.writePage(withoutUnmapped(page), bodies.of(page, undefined));
    }
    output.close();
    return writer;
  });
}

const says =
  (text: string): ReadPicture =>
  async () => [{ text, box: [0, 0, 100, 100] }];

describe('a page of a .pdf with a picture over it and a text layer', () => {
  it('is named where the text says something else than the picture', async () => {
    const writer = await write([{ lines: LAYER }, { picture, lines: LAYER }], says(OTHER));
    expect(writer).toMatchObject({ compared: 1, differing: [2], recognised: [] });
    expect(describePdf(writer, 2, [], 'on').warnings).toMatchObject([
      { code: 'TEXT_LAYER_DIFFERS', detail: expect.stringContaining('pages 2 ') },
    ]);
  });

  it('is believed where both say the same', async () => {
    const writer = await write([{ picture, lines: LAYER }], says(LAYER.join(' ')));
    expect(writer).toMatchObject({ compared: 1, differing: [], scanned: [] });
    expect(describePdf(writer, 1, [], 'on').warnings).toEqual([]);
  });

  it('is not compared where nothing reads pictures', async () => {
    const writer = await write([{ picture, lines: LAYER }], async () => undefined);
    expect(writer).toMatchObject({ compared: 0, differing: [] });
  });
});
