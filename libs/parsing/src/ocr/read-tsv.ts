/** Text of a paragraph with its rectangle in pixels, `[x0, y0, x1, y1]`. */
export interface RecognisedParagraph {
  text: string;
  box: [number, number, number, number];
}

/** Words below this confidence (0–100) are specks and lines of a picture. */
const LEAST_CONFIDENCE = 30;
const WORD_LEVEL = '5';

/** Reads Tesseract's table of words: level, page, block, paragraph, line, word, left, top, width, height, confidence, text. */
export function readTsv(tsv: string): RecognisedParagraph[] {
  const paragraphs = new Map<string, RecognisedParagraph>();
  for (const line of tsv.split('\n')) {
    const fields = line.split('\t');
    const text = fields[11]?.trim() ?? '';
    if (fields[0] !== WORD_LEVEL || text === '' || Number(fields[10]) < LEAST_CONFIDENCE) continue;
    const [left = 0, top = 0, width = 0, height = 0] = fields.slice(6, 10).map(Number);
    const key = `${fields[2]}.${fields[3]}`;
    const open = paragraphs.get(key);
    if (open === undefined) {
      paragraphs.set(key, { text, box: [left, top, left + width, top + height] });
      continue;
    }
    open.text += ` ${text}`;
    const [x0, y0, x1, y1] = open.box;
    open.box = [Math.min(x0, left), Math.min(y0, top), Math.max(x1, left + width), Math.max(y1, top + height)];
  }
  return [...paragraphs.values()];
}
