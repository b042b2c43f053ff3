/** A line of the text, or a part of a line that is too long to be held whole. Offsets are absolute, `end` is exclusive. */
export interface ScannedLine {
  /** The characters of the line without its line ending. */
  text: string;
  start: number;
  end: number;
  /** False when the part continues a line that was begun before. */
  beginsLine: boolean;
}

/** Parts of lines longer than this are handed on before their end is known. */
export const MAX_LINE_UNITS = 16_384;

/**
 * Cuts a stream of text into lines (ended by LF, CRLF or CR) without holding more than one line or `MAX_LINE_UNITS`.
 * An overlong line is cut at white space where there is some in its second half, never inside a surrogate pair.
 */
export class LineSplitter {
  private carry = '';
  private carryStart = 0;
  private beginsLine = true;
  private readonly onLine: (line: ScannedLine) => void;

  constructor(onLine: (line: ScannedLine) => void) {
    this.onLine = onLine;
  }

  /** Takes the next piece of text. A surrogate pair must not be divided between two pieces. */
  feed(piece: string): void {
    this.split(this.carry + piece, false);
  }

  /** Hands on what is left. */
  finish(): void {
    this.split(this.carry, true);
    if (this.carry !== '') this.emit(this.carry, this.carryStart);
    this.carryStart += this.carry.length;
    this.carry = '';
  }

  /** Ends the line that is open and passes over text of this length, which is none of its lines. Answers where that begins. */
  passOver(units: number): number {
    this.finish();
    const start = this.carryStart;
    this.carryStart += units;
    this.beginsLine = true;
    return start;
  }

  private split(text: string, isLast: boolean): void {
    let at = 0;
    let lf = text.indexOf('\n');
    let cr = text.indexOf('\r');
    while (lf >= 0 || cr >= 0) {
      const end = cr >= 0 && (lf < 0 || cr < lf) ? cr : lf;
      if (text[end] === '\r' && end === text.length - 1 && !isLast) break;
      this.emitLong(text, at, end);
      this.beginsLine = true;
      at = text[end] === '\r' && text[end + 1] === '\n' ? end + 2 : end + 1;
      if (lf >= 0 && lf < at) lf = text.indexOf('\n', at);
      if (cr >= 0 && cr < at) cr = text.indexOf('\r', at);
    }
    const rest = this.cutOverlong(text, at, text.length);
    this.carry = text.slice(rest);
    this.carryStart += rest;
  }

  private emitLong(text: string, from: number, end: number): void {
    const at = this.cutOverlong(text, from, end);
    this.emit(text.slice(at, end), this.carryStart + at);
  }

  /** Emits parts while more than the maximum lies between `from` and `end`; returns where the rest begins. */
  private cutOverlong(text: string, from: number, end: number): number {
    let at = from;
    while (end - at > MAX_LINE_UNITS) {
      const cut = cutPoint(text, at, at + MAX_LINE_UNITS);
      this.emit(text.slice(at, cut), this.carryStart + at);
      at = cut;
    }
    return at;
  }

  private emit(text: string, start: number): void {
    this.onLine({ text, start, end: start + text.length, beginsLine: this.beginsLine });
    this.beginsLine = false;
  }
}

/** The best place to cut before `limit`: after white space in the second half, else at a border of code points. */
export function cutPoint(text: string, from: number, limit: number): number {
  for (let at = limit; at > from + (limit - from) / 2; at -= 1) {
    const unit = text.charCodeAt(at - 1);
    if (unit === 0x20 || unit === 0x09 || unit === 0x3000) return at;
  }
  const last = text.charCodeAt(limit - 1);
  return last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit;
}
