import { closeSync, openSync, readSync } from 'node:fs';

/** How text is kept from the eye: in the colour of its ground, too small to read, or by a style that shows nothing. */
export type UnseenLook = 'unseen_colour' | 'unseen_size' | 'unseen_style';

/** A stretch of the canonical text that a reader of the file does not see. */
export interface UnseenText {
  start: number;
  end: number;
  look: UnseenLook;
  page?: number;
}

/** What a parser knows of such a text before it is in the canonical one. */
interface Note {
  text: string;
  look: UnseenLook;
  /** It is here or later. */
  from: number;
  page?: number;
}

/** A document of which more is hidden has enough findings. */
const MOST_NOTES = 1_000;
/** How far behind its note a text is looked for, in code units. */
const WINDOW_UNITS = 256 * 1024;
/** Stretches of one look with nothing but a space between them are one. */
const GAP_UNITS = 1;

/** Takes down what is not seen, and finds it in the text when that is written. */
export class UnseenNotes {
  private readonly notes: Note[] = [];
  private readonly known: UnseenText[] = [];

  note(text: string, look: UnseenLook, from: number, page?: number): void {
    const words = text.replaceAll('\u00ad', '').replace(/\s+/g, ' ').trim();
    if (words !== '' && this.notes.length < MOST_NOTES) this.notes.push({ text: words, look, from, page });
  }

  /** What is elsewhere already: in a file inside of this one. */
  add(unseen: UnseenText): void {
    if (this.known.length < MOST_NOTES) this.known.push(unseen);
  }

  /** In the order of the text, without overlaps. */
  locate(textPath: string, textLength: number): UnseenText[] {
    const found = [...this.known];
    if (this.notes.length > 0) {
      const window = new TextWindow(textPath, textLength);
      let behind = 0;
      for (const note of this.notes) {
        const start = window.find(note.text, Math.max(note.from, behind)) ?? window.find(note.text, note.from);
        if (start === undefined) continue;
        behind = start + note.text.length;
        const { look, page } = note;
        found.push({ start, end: behind, look, ...(page !== undefined && { page }) });
      }
      window.close();
    }
    return joined(found);
  }
}

function joined(found: readonly UnseenText[]): UnseenText[] {
  const all: UnseenText[] = [];
  for (const one of found.toSorted((left, right) => left.start - right.start)) {
    const last = all.at(-1);
    if (last !== undefined && last.look === one.look && one.start <= last.end + GAP_UNITS) {
      last.end = Math.max(last.end, one.end);
    } else all.push({ ...one });
  }
  return all;
}

/** A stretch of a text in a file, read again when another one is asked for. */
class TextWindow {
  private readonly file: number;
  private readonly length: number;
  private start = 0;
  private text = '';

  constructor(path: string, length: number) {
    this.file = openSync(path, 'r');
    this.length = length;
  }

  find(text: string, from: number): number | undefined {
    const isInside = from >= this.start && from + WINDOW_UNITS / 2 <= this.start + this.text.length;
    if (!isInside && (from < this.start || this.start + this.text.length < this.length)) this.read(from);
    const at = this.text.indexOf(text, from - this.start);
    return at < 0 ? undefined : this.start + at;
  }

  close(): void {
    closeSync(this.file);
  }

  private read(from: number): void {
    const units = Math.max(0, Math.min(WINDOW_UNITS, this.length - from));
    const bytes = Buffer.alloc(units * 2);
    let size = 0;
    for (let read = -1; read !== 0 && size < bytes.length; size += read) {
      read = readSync(this.file, bytes, size, bytes.length - size, from * 2 + size);
    }
    this.start = from;
    this.text = bytes.toString('utf16le', 0, size);
  }
}
