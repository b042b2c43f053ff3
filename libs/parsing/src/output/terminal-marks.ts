/** Longest address of a link, and the like. A longer sequence is none: all of it is text. */
const LONGEST_STRING = 2_048;

/** The sequences of ECMA-48 that colour, move and erase, as the reset of `tput` with the choice of characters in front of it. */
const CONTROL = String.raw`(?:\x1b\(B)?\x1b\[[0-?]{0,64}[ -/]{0,8}`;
/** Links and titles of a window, up to their end. */
const STRING = String.raw`\x1b\][^\x07\x1b\r\n]{0,${LONGEST_STRING}}`;
const SEQUENCE = new RegExp(String.raw`${CONTROL}[@-~]|${STRING}(?:\x07|\x1b\\)`, 'g');
/** What may become a sequence by what follows it. */
const UNFINISHED = new RegExp(String.raw`(?:${CONTROL}|${STRING}\x1b?|\x1b\(B\x1b|\x1b(?:\(B?)?)$`);

/**
 * Text without the colours, links and moves of a cursor that a terminal makes of escape sequences. An escape character that begins none of
 * them, as those for printers, stays with what follows it.
 */
export function withoutTerminalMarks(text: string): string {
  return text.replace(SEQUENCE, '');
}

/** The same for a text that comes in pieces, wherever it is divided: a sequence that may go on in the next piece is held until then. */
export class TerminalMarks {
  private held = '';

  /** Takes the next piece and gives what is known to be text. */
  feed(piece: string): string {
    const text = this.held + piece;
    const at = text.search(UNFINISHED);
    this.held = at < 0 ? '' : text.slice(at);
    return withoutTerminalMarks(at < 0 ? text : text.slice(0, at));
  }

  /** The rest, at the end. */
  finish(): string {
    const rest = this.held;
    this.held = '';
    return withoutTerminalMarks(rest);
  }
}
