/** What a tokenizer finds, in the order of the file. */
export interface RtfEvents {
  open(): void;
  close(): void;
  /** A control word such as `\fs24`; `parameter` is undefined when there is no number. */
  word(name: string, parameter: number | undefined): void;
  /** A control sign such as `\~` or `\*`. */
  sign(sign: string): void;
  /** Bytes of text; the buffer is used again after the call. */
  bytes(bytes: Buffer): void;
}

const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const MAX_WORD = 64;

type State = 'text' | 'backslash' | 'word' | 'parameter' | 'delimiter' | 'hex' | 'binary';

/** Splits RTF into its parts. Holds a few bytes between two pieces, whatever the file's length. */
export class RtfTokenizer {
  private readonly events: RtfEvents;
  private state: State = 'text';
  private name = '';
  private parameter = '';
  private hex = '';
  private binaryLeft = 0;

  constructor(events: RtfEvents) {
    this.events = events;
  }

  feed(piece: Buffer): void {
    for (let at = 0; at < piece.length;) {
      if (this.state === 'text') at = this.readText(piece, at);
      else if (this.state === 'word') at = this.readWord(piece, at);
      else if (this.state === 'binary') {
        const skipped = Math.min(this.binaryLeft, piece.length - at);
        this.binaryLeft -= skipped;
        at += skipped;
        if (this.binaryLeft === 0) this.state = 'text';
      } else if (this.step(piece[at]!)) at += 1;
    }
  }

  /** Ends a control word that the file ends with. */
  finish(): void {
    if (this.state === 'word' || this.state === 'parameter') this.endWord();
  }

  /** Plain text up to the next sign with a meaning; line ends mean nothing. */
  private readText(piece: Buffer, from: number): number {
    let at = from;
    for (; at < piece.length; at += 1) {
      const byte = piece[at]!;
      if (byte === BACKSLASH || byte === OPEN || byte === CLOSE || byte === 0x0a || byte === 0x0d) break;
    }
    if (at > from) this.events.bytes(piece.subarray(from, at));
    if (at === piece.length) return at;
    if (piece[at] === BACKSLASH) this.state = 'backslash';
    else if (piece[at] === OPEN) this.events.open();
    else if (piece[at] === CLOSE) this.events.close();
    return at + 1;
  }

  /** The letters of a control word, as many as there are. */
  private readWord(piece: Buffer, from: number): number {
    let at = from;
    while (at < piece.length && isLetter(piece[at]!)) at += 1;
    if (this.name.length < MAX_WORD) this.name += piece.toString('latin1', from, at);
    if (at === piece.length) return at;
    return this.leaveWord(piece[at]!) ? at + 1 : at;
  }

  /** Takes one byte of a control; false when it belongs to what follows. */
  private step(byte: number): boolean {
    switch (this.state) {
      case 'backslash':
        return this.beginControl(byte);
      case 'parameter':
        if (isDigit(byte)) {
          if (this.parameter.length < 12) this.parameter += String.fromCharCode(byte);
          return true;
        }
        // A space ends a control word and belongs to it; binary data begin right behind it.
        this.endWord();
        return byte === 0x20;
      default:
        return this.readHex(byte);
    }
  }

  private beginControl(byte: number): boolean {
    if (isLetter(byte)) {
      this.state = 'word';
      this.name = String.fromCharCode(byte);
      this.parameter = '';
    } else if (byte === 0x27) {
      this.state = 'hex';
      this.hex = '';
    } else {
      this.state = 'text';
      this.events.sign(String.fromCharCode(byte));
    }
    return true;
  }

  private leaveWord(byte: number): boolean {
    if (isDigit(byte) || byte === 0x2d) {
      this.state = 'parameter';
      this.parameter = String.fromCharCode(byte);
      return true;
    }
    this.endWord();
    return byte === 0x20;
  }

  private endWord(): void {
    this.state = 'text';
    const number = Number(this.parameter);
    const parameter = this.parameter === '' || this.parameter === '-' || Number.isNaN(number) ? undefined : number;
    if (this.name === 'bin') {
      this.binaryLeft = Math.max(parameter ?? 0, 0);
      if (this.binaryLeft > 0) this.state = 'binary';
    } else {
      this.events.word(this.name, parameter);
    }
  }

  private readHex(byte: number): boolean {
    const digit = String.fromCharCode(byte);
    if (!/[0-9a-f]/i.test(digit)) {
      this.state = 'text';
      return false;
    }
    this.hex += digit;
    if (this.hex.length === 2) {
      this.state = 'text';
      this.events.bytes(Buffer.of(Number.parseInt(this.hex, 16)));
    }
    return true;
  }
}

function isLetter(byte: number): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
