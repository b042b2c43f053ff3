import { LineAlignment, type NumberedWord } from './align-lines.js';
import { PageLetters } from './page-letters.js';
import { readPageLines, type DrawnPage } from './page-lines.js';
import {
  MOST_BOXES,
  type LocateRequest,
  type PagePlaces,
  type PageRectangle,
  type PlacedText,
  type TextBox,
} from './page-places.js';

/** Letters that are written from the right. */
const FROM_THE_RIGHT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;

type Stretch = Pick<LocateRequest, 'blocks' | 'start' | 'end'>;

/** Letters of a word that the stretch covers, the last one included, and where they are in the text. */
interface Cover {
  first: number;
  last: number;
  start: number;
  end: number;
}

/** Reads a page of a PDF and says where a stretch of its text is drawn; `folder` is one to write to. */
export async function locateInFile(request: LocateRequest, folder: string): Promise<PagePlaces> {
  return locateText(await readPageLines(request.path, request.page, folder), request);
}

/** Where a stretch of a page's text is drawn. */
export function locateText(page: DrawnPage, { blocks, start, end }: Stretch): PagePlaces {
  const letters = new PageLetters(blocks);
  const alignment = new LineAlignment(letters, blocks, page.lines);
  const covers = coversOf(letters, start, end);
  for (const bridge of alignment.bridges) {
    if (bridge.start >= end || bridge.end <= start) continue;
    const part = { start: Math.max(start, bridge.start), end: Math.min(end, bridge.end) };
    for (const word of bridge.words)
      covers.set(word, { first: 0, last: alignment.words[word]!.letters.length - 1, ...part });
  }
  const boxes = lineBoxes(page, alignment.words, covers);
  const all = [...boxes, ...blockBoxes(blocks, boxes, { start, end })];
  return {
    pageCount: page.pageCount,
    size: page.size,
    boxes: all
      .toSorted((a, b) => a.start - b.start)
      .slice(0, MOST_BOXES)
      .map(rounded),
  };
}

function coversOf(letters: PageLetters, start: number, end: number): Map<number, Cover> {
  const covers = new Map<number, Cover>();
  for (const [at, word] of letters.words.entries()) {
    const [from, to] = [letters.starts[at]!, letters.ends[at]!];
    if (word < 0 || from >= end || to <= start) continue;
    const place = letters.places[at]!;
    const cover = covers.get(word);
    if (cover === undefined) covers.set(word, { first: place, last: place, start: from, end: to });
    else Object.assign(cover, { last: place, end: to });
  }
  return covers;
}

/** One box for the words that follow each other in a line. */
function lineBoxes(
  page: DrawnPage,
  words: readonly NumberedWord[],
  covers: ReadonlyMap<number, Cover>,
): readonly TextBox[] {
  const boxes: TextBox[] = [];
  let open: { readonly line: number; readonly box: TextBox } | undefined;
  for (const [number, word] of words.entries()) {
    const cover = covers.get(number);
    if (cover === undefined) {
      if (word.letters !== '') open = undefined;
      continue;
    }
    const { rotation } = page.lines[word.line]!;
    const part = { ...partOf(word, cover, rotation), start: cover.start, end: cover.end };
    const isNext = open?.line === word.line && cover.start >= open.box.start;
    const box: TextBox = isNext ? joined(open!.box, part) : { ...part, rotation, precision: 'words' };
    if (isNext) boxes.pop();
    boxes.push(box);
    open = { line: word.line, box };
  }
  return boxes;
}

function joined(box: TextBox, part: PageRectangle & { readonly end: number }): TextBox {
  const x = Math.min(box.x, part.x);
  const y = Math.min(box.y, part.y);
  const width = Math.max(box.x + box.width, part.x + part.width) - x;
  const height = Math.max(box.y + box.height, part.y + part.height) - y;
  return { ...box, x, y, width, height, end: Math.max(box.end, part.end) };
}

/** The share of a word that some of its letters take, along its line. */
function partOf({ letters, box }: NumberedWord, { first, last }: Cover, rotation: number): PageRectangle {
  const count = letters.length;
  if (first === 0 && last === count - 1) return box;
  const isUpright = rotation % 180 === 90;
  const isReversed = rotation >= 180 !== FROM_THE_RIGHT.test(letters);
  const [from, to] = isReversed ? [count - 1 - last, count - first] : [first, last + 1];
  const [low, share] = [from / count, (to - from) / count];
  return isUpright
    ? { ...box, y: box.y + box.height * low, height: box.height * share }
    : { ...box, x: box.x + box.width * low, width: box.width * share };
}

/** Blocks that the stretch touches and of whose words none has a place: what OCR has read, columns from top to bottom. */
function blockBoxes(
  blocks: readonly PlacedText[],
  boxes: readonly TextBox[],
  { start, end }: { readonly start: number; readonly end: number },
): readonly TextBox[] {
  return blocks.flatMap(({ box, text, start: from }) => {
    const part = { start: Math.max(start, from), end: Math.min(end, from + text.length) };
    const isShown = boxes.some((one) => one.start < part.end && one.end > part.start);
    if (box === undefined || part.end <= part.start || isShown) return [];
    if (text.slice(part.start - from, part.end - from).trim() === '') return [];
    const [x0, y0, x1, y1] = box;
    return { ...part, x: x0, y: y0, width: x1 - x0, height: y1 - y0, rotation: 0, precision: 'block' };
  });
}

function rounded(box: TextBox): TextBox {
  const round = (points: number): number => Math.round(points * 100) / 100;
  return { ...box, x: round(box.x), y: round(box.y), width: round(box.width), height: round(box.height) };
}
