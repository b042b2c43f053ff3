import type { OoxmlPackage } from '../ooxml/ooxml-package.js';

/** Bytes of a piece of storage; a string lies in one piece. */
const PIECE_BYTES = 1024 * 1024;
const SAMPLE_UNITS = 4_000;

/** The strings of a workbook by number, kept as UTF-8 outside of the JavaScript heap: there may be millions of them. */
export class SharedStrings {
  private readonly pieces: Buffer[] = [];
  /** Piece, start and end of every string. */
  private places = new Uint32Array(3 * 1024);
  /** Characters of runs that are struck out, which no string has. */
  struckCharacters = 0;
  private count = 0;
  private used = 0;

  /** Reads the part with the strings: runs of a rich text are joined, phonetic readings left out. */
  static async read(parts: OoxmlPackage, name: string | undefined): Promise<SharedStrings> {
    const strings = new SharedStrings();
    let text: string[] = [];
    let isText = false;
    let isReading = false;
    let isStruck = false;
    await parts.read(name, {
      open: (element, attributes) => {
        isText = element === 't';
        if (element === 'si') text = [];
        else if (element === 'rPh') isReading = true;
        else if (element === 'r') isStruck = false;
        else if (element === 'strike') isStruck = !/^(?:0|false)$/.test(attributes['val'] ?? '');
      },
      close: (element) => {
        isText = false;
        if (element === 'rPh') isReading = false;
        else if (element === 'r') isStruck = false;
        else if (element === 'si') strings.add(text.join(''));
      },
      text: (piece) => {
        if (!isText || isReading) return;
        if (isStruck) strings.struckCharacters += piece.length;
        else text.push(piece);
      },
    });
    return strings;
  }

  /** The first of them, up to some thousand characters. */
  sample(): string {
    let text = '';
    for (let index = 0; index < this.count && text.length < SAMPLE_UNITS; index += 1) text += `${this.at(index)}\n`;
    return text.slice(0, SAMPLE_UNITS);
  }

  /** The string with this number; empty when there is none. */
  at(index: number): string {
    if (!Number.isInteger(index) || index < 0 || index >= this.count) return '';
    const [piece, start, end] = this.places.subarray(index * 3, index * 3 + 3);
    return this.pieces[piece!]!.toString('utf8', start, end);
  }

  private add(text: string): void {
    const bytes = Buffer.byteLength(text);
    let piece = this.pieces.at(-1);
    if (piece === undefined || this.used + bytes > piece.length) {
      piece = Buffer.allocUnsafeSlow(Math.max(PIECE_BYTES, bytes));
      this.pieces.push(piece);
      this.used = 0;
    }
    piece.write(text, this.used, 'utf8');
    if ((this.count + 1) * 3 > this.places.length) {
      const larger = new Uint32Array(this.places.length * 2);
      larger.set(this.places);
      this.places = larger;
    }
    this.places.set([this.pieces.length - 1, this.used, this.used + bytes], this.count * 3);
    this.used += bytes;
    this.count += 1;
  }
}
