import { stripVTControlCharacters } from 'node:util';

const ESCAPE = String.fromCharCode(27);
/** A longer sequence is none: the rest of it is text. */
const LONGEST_SEQUENCE = 2_048;

/** Text without the colours, links and moves of a cursor that a terminal makes of escape sequences. */
export function withoutTerminalMarks(text: string): string {
  return text.includes(ESCAPE) ? stripVTControlCharacters(text) : text;
}

/** The same for a text that comes in pieces: a sequence that may go on in the next piece is held until then. */
export class TerminalMarks {
  private held = '';

  /** Takes the next piece and gives what is known to be text. */
  feed(piece: string): string {
    const text = this.held + piece;
    const at = text.lastIndexOf(ESCAPE);
    const lineEnd = text.indexOf('\n', at);
    const isOpen = at >= 0 && lineEnd < 0 && text.length - at < LONGEST_SEQUENCE;
    this.held = isOpen ? text.slice(at) : '';
    return withoutTerminalMarks(isOpen ? text.slice(0, at) : text);
  }

  /** The rest, at the end. */
  finish(): string {
    const rest = this.held;
    this.held = '';
    return withoutTerminalMarks(rest);
  }
}
