/** Longest address of a link, and the like. A longer sequence is none: all of it is text. */
const LONGEST_STRING = 2_048;

/** The sequences of ECMA-48 that colour, move and erase, as the reset of `tput` with the choice of characters in front of it. */
const CONTROL = String.raw`(?:\x1b\(B)?\x1b\[[0-?]{0,64}[ -/]{0,8}`;
/** Links and titles of a window, up to their end. */
const STRING = String.raw`\x1b\][^\x07\x1b\r\n]{0,${LONGEST_STRING}}`;
/** Commands of PCL with a number: the type, the paper, the set of characters. */
const PRINTER_BEGIN = String.raw`\x1b[&(*)](?:[a-z](?:[-+]?\d{1,5}(?:\.\d{1,5})?[a-z]){0,16})?`;
const PRINTER = String.raw`${PRINTER_BEGIN}[-+]?\d{1,5}(?:\.\d{1,5})?[A-Z@]`;
/** A printer that is set back (PCL, ESC/P), at the beginning of a sheet or before another command: elsewhere they are letters. */
const RESET = String.raw`(?<=^|\f)\x1b[E@]|\x1b[E@](?=\x1b)`;
const SEQUENCE = new RegExp(String.raw`${CONTROL}[@-~]|${STRING}(?:\x07|\x1b\\)|${PRINTER}|${RESET}`, 'g');
/** The end of a file of DOS. */
const END_MARKS = String.raw`(?<![\x1a\0])\x1a[\x1a\0]{0,4095}$`;
const END_OF_FILE = new RegExp(END_MARKS);
/** What may become a sequence by what follows it. */
const UNFINISHED = new RegExp(
  String.raw`(?:${CONTROL}|${STRING}\x1b?|\x1b\(B\x1b|\x1b(?:\(B?|[E@])?|${PRINTER_BEGIN}(?:[-+]?\d{0,5}(?:\.\d{0,5})?)|${END_MARKS})$`,
);

/**
 * Text without the colours, links and moves of a cursor that a terminal makes of escape sequences, without the commands that a printer makes of them
 * and without the mark at the end of a file of DOS. An escape character that begins none of them stays with what follows it.
 */
export function withoutTerminalMarks(text: string): string {
  return withoutSequences(text).replace(END_OF_FILE, '');
}

/** `isStart`: nothing is before the text. */
function withoutSequences(text: string, isStart = true): string {
  return (isStart ? text : `\0${text}`).replace(SEQUENCE, '').slice(isStart ? 0 : 1);
}

/** The same for a text that comes in pieces, wherever it is divided: a sequence that may go on in the next piece is held until then. */
export class TerminalMarks {
  private held = '';
  /** What was taken last: a sheet may begin behind it. */
  private last = '';

  /** Takes the next piece and gives what is known to be text. */
  feed(piece: string): string {
    const text = this.held + piece;
    const at = text.search(UNFINISHED);
    this.held = at < 0 ? '' : text.slice(at);
    return this.without(at < 0 ? text : text.slice(0, at));
  }

  /** The rest, at the end. */
  finish(): string {
    const rest = this.held;
    this.held = '';
    return this.without(rest).replace(END_OF_FILE, '');
  }

  private without(text: string): string {
    if (text === '') return '';
    const isStart = this.last === '' || this.last === '\f';
    this.last = text.at(-1)!;
    return withoutSequences(text, isStart);
  }
}
