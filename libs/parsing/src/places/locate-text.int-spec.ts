import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makePdf, type PdfPage, type PlacedText } from '../testing/make-pdf.js';
import { parseBytes, withDirectory } from '../testing/parse-bytes.js';
import { lettersOf } from './letters.js';
import { locateText } from './locate-text.js';
import { readPageLines, type DrawnPage } from './page-lines.js';
import type { PageRectangle, PlacedText as Block, TextBox } from './page-places.js';

const FIELD = fileURLToPath(new URL('../../../../test/fixtures/field/', import.meta.url));
const HEIGHT = 842;

interface ReadPage {
  readonly drawn: DrawnPage;
  readonly blocks: readonly Block[];
  readonly text: string;
}

async function read(bytes: Buffer, page = 1): Promise<ReadPage> {
  const { text, blocks } = await parseBytes(bytes, 'a.pdf');
  const drawn = await withDirectory((directory) => {
    const path = join(directory, 'input');
    writeFileSync(path, bytes);
    return readPageLines(path, page, directory);
  });
  const own = blocks.filter((block) => block.page === page && block.kind !== 'page_break');
  const placed = own.map(({ start, end, box }) => ({ start, text: text.slice(start, end), ...(box && { box }) }));
  return { drawn, blocks: placed, text };
}

/** Boxes of the occurrence of some words in the text, counted from 0. */
function boxesOf({ drawn, blocks, text }: ReadPage, words: string, occurrence = 0): readonly TextBox[] {
  let start = -1;
  for (let n = 0; n <= occurrence; n += 1) start = text.indexOf(words, start + 1);
  expect(start, `${words} in ${text}`).toBeGreaterThanOrEqual(0);
  return locateText(drawn, { blocks, start, end: start + words.length }).boxes;
}

/** What a reader of the page sees in a box. */
function under({ drawn }: ReadPage, boxes: readonly PageRectangle[]): string {
  const isIn = ({ x, y, width, height }: PageRectangle): boolean =>
    boxes.some(
      (box) =>
        x + width / 2 > box.x &&
        x + width / 2 < box.x + box.width &&
        y + height / 2 > box.y &&
        y + height / 2 < box.y + box.height,
    );
  return drawn.lines.flatMap(({ words }) => words.flatMap(({ letters, box }) => (isIn(box) ? letters : []))).join('');
}

const placed = (...texts: readonly (readonly [string, number, number])[]): PlacedText[] =>
  texts.map(([text, x, y]) => ({ text, x, y }));

/** Two columns of a page, each line with words that the other column has as well. */
const COLUMNS: PdfPage = {
  placed: placed(
    ['The keeper of the tower lights the lamp at dusk', 60, 100],
    ['and writes the hour into the book of the tower', 60, 112],
    ['so that nobody has to ask.', 60, 124],
    ['The keeper of the harbour lights the lamp at dawn', 330, 100],
    ['and writes the hour into the book of the harbour', 330, 112],
    ['so that nobody has to ask.', 330, 124],
  ),
};

describe('a text on a page of a PDF', () => {
  it('is where it is drawn, one box for each line', async () => {
    const page = await read(makePdf([{ lines: ['The boiler was inspected', 'on the third of March.'] }]));
    const boxes = boxesOf(page, 'inspected on the third');
    expect(boxes.map(({ precision, rotation }) => [precision, rotation])).toEqual([
      ['words', 0],
      ['words', 0],
    ]);
    expect(under(page, boxes)).toBe('inspectedonthethird');
    expect(page.drawn.size).toEqual({ width: 595, height: HEIGHT });
    // Base line 80 points below the top, 24 points high.
    expect(boxes[0]!.y).toBeGreaterThan(55);
    expect(boxes[0]!.y + boxes[0]!.height).toBeLessThan(92);
    expect(page.text.slice(boxes[1]!.start, boxes[1]!.end)).toBe('on the third');
  });

  it('takes of a word the share of its letters', async () => {
    const page = await read(makePdf([{ lines: ['oooooooooo stays'] }]));
    const [whole] = boxesOf(page, 'oooooooooo');
    const start = page.text.indexOf('oooooooooo');
    const { boxes } = locateText(page.drawn, { blocks: page.blocks, start: start + 5, end: start + 10 });
    expect(boxes[0]!.width).toBeCloseTo(whole!.width / 2, 1);
    expect(boxes[0]!.x).toBeCloseTo(whole!.x + whole!.width / 2, 1);
  });

  it('is found in its own column, though the other one says the same', async () => {
    const page = await read(makePdf([COLUMNS]));
    for (const occurrence of [0, 1]) {
      const boxes = boxesOf(page, 'so that nobody has to ask', occurrence);
      expect(boxes).toHaveLength(1);
      expect(boxes[0]!.x).toBeCloseTo(occurrence === 0 ? 60 : 330, 0);
      const hour = boxesOf(page, 'writes the hour into the book', occurrence);
      expect(hour.every(({ x }) => (occurrence === 0 ? x < 300 : x > 300))).toBe(true);
    }
  });

  it('is found in its own row of a table, though each row has the same numbers', async () => {
    const rows = ['Anna', 'Bert', 'Carla', 'Dora'].flatMap((name, n) => [
      [name, 60, 140 + n * 20] as const,
      ['10', 200, 140 + n * 20] as const,
      ['10', 320, 140 + n * 20] as const,
    ]);
    const page = await read(
      makePdf([{ placed: placed(['Name', 60, 120], ['Shifts', 200, 120], ['Hours', 320, 120], ...rows) }]),
    );
    for (const [n, name] of ['Anna', 'Bert', 'Carla', 'Dora'].entries()) {
      const [box] = boxesOf(page, name);
      expect(box!.y + box!.height / 2, name).toBeGreaterThan(130 + n * 20);
      expect(box!.y + box!.height / 2, name).toBeLessThan(140 + n * 20);
      for (const column of [0, 1]) {
        const [number] = boxesOf(page, '10', n * 2 + column);
        expect([Math.round(number!.x), Math.round(number!.y)]).toEqual([column === 0 ? 200 : 320, Math.round(box!.y)]);
      }
    }
  });

  it('has both parts of a word that is divided at the end of a line', async () => {
    const lines = ['Everybody who works here reads the instruc-', 'tions before the first shift of the season.'];
    const page = await read(makePdf([{ placed: placed([lines[0]!, 60, 100], [lines[1]!, 60, 112]) }]));
    expect(page.text).toContain('instructions');
    const boxes = boxesOf(page, 'instructions');
    expect(under(page, boxes)).toBe('instructions');
    expect(boxes).toHaveLength(2);
  });

  it.each([
    [90, (x: number, y: number) => [HEIGHT - y, x]],
    [180, (x: number, y: number) => [595 - x, HEIGHT - y]],
    [270, (x: number, y: number) => [y, 595 - x]],
  ] as const)('of a page that is turned by %i degrees is where a reader sees it', async (turned, shown) => {
    const bytes = makePdf([{ placed: placed(['Turned words of this page', 100, 200]), turned }]);
    const page = await read(bytes);
    const { start, text } = page.blocks[0]!;
    const { boxes, size } = locateText(page.drawn, { blocks: page.blocks, start, end: start + text.length });
    expect(size).toEqual(turned === 180 ? { width: 595, height: HEIGHT } : { width: HEIGHT, height: 595 });
    expect(boxes).toHaveLength(1);
    const { x, y, width, height, rotation } = boxes[0]!;
    // A little right of its beginning and above its base line.
    const [px, py] = shown(104, 197);
    expect(px).toBeGreaterThan(x);
    expect(px).toBeLessThan(x + width);
    expect(py).toBeGreaterThan(y);
    expect(py).toBeLessThan(y + height);
    expect(rotation).toBe(turned);
  });

  it('of a page that is cropped counts from the corner that a reader sees', async () => {
    const page = await read(makePdf([{ placed: placed(['Cropped words of this page', 100, 200]), cropped: [40, 30] }]));
    expect(page.drawn.size).toEqual({ width: 555, height: 812 });
    const [box] = boxesOf(page, 'Cropped');
    expect(box!.x).toBeCloseTo(60, 0);
    expect(box!.y + box!.height).toBeGreaterThan(169);
    expect(box!.y).toBeLessThan(165);
  });

  it('that is masked is where the words are that the mask hides', async () => {
    const page = await read(makePdf([{ lines: ['Write to anna@example.org', 'before the tour begins.'] }]));
    const hidden = 'anna@example.org';
    const masked = page.text.replace(hidden, '█'.repeat(hidden.length));
    const blocks = page.blocks.map((block) => ({
      ...block,
      text: masked.slice(block.start, block.start + block.text.length),
    }));
    const start = page.text.indexOf(hidden);
    const { boxes } = locateText(page.drawn, { blocks, start, end: start + hidden.length });
    expect(under(page, boxes)).toBe('annaexampleorg');
    const before = locateText(page.drawn, { blocks, start: start - 9, end: start - 1 });
    expect(under(page, before.boxes)).toBe('writeto');
  });

  it('without words on the page is the block that holds it; without that it has no place', async () => {
    const page = await read(makePdf([{ frames: [[50, 50, 100, 100]] }]));
    const scanned = { start: 10, text: 'Read from a picture', box: [60, 70, 200, 90] as const };
    expect(locateText(page.drawn, { blocks: [scanned], start: 15, end: 19 }).boxes).toEqual([
      { x: 60, y: 70, width: 140, height: 20, start: 15, end: 19, rotation: 0, precision: 'block' },
    ]);
    const { box: _box, ...note } = scanned;
    expect(locateText(page.drawn, { blocks: [note], start: 15, end: 19 }).boxes).toEqual([]);
  });

  it('of a page that is not there has neither size nor boxes', async () => {
    const page = await read(makePdf([{ lines: ['One page'] }]), 3);
    expect(page.drawn).toEqual({ pageCount: 1, size: null, lines: [] });
  });

  it('is found for every word of a table that goes on over pages', async () => {
    const bytes = readFileSync(join(FIELD, '05-pdf-table-continued/parts.pdf'));
    for (const number of [1, 2, 3]) {
      const page = await read(bytes, number);
      const words = page.blocks.flatMap((block) =>
        [...block.text.matchAll(/\S+/gu)].map(({ 0: word, index }) => ({ word, start: block.start + index })),
      );
      const wrong = words.filter(({ word, start }) => {
        const { letters } = lettersOf(word);
        const { boxes } = locateText(page.drawn, { blocks: page.blocks, start, end: start + word.length });
        return letters !== '' && under(page, boxes) !== letters;
      });
      expect(words.length).toBeGreaterThan(20);
      expect(wrong).toEqual([]);
    }
  });
});

describe('letters of a text', () => {
  it('are compared without case, accents, ligatures and marks, and know where they are', () => {
    const { letters, starts, ends } = lettersOf('Café ﬁn-\n𝔸b', 10);
    expect(letters).toBe('cafefinab');
    expect(starts).toEqual([10, 11, 12, 13, 15, 15, 16, 19, 21]);
    expect(ends.at(-2)).toBe(21);
  });
});
