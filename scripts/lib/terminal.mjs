/** What the demo needs to print for a person: colours on a terminal, plain text elsewhere, wrapped lines, bars that move. */
const isTerminal = process.stdout.isTTY === true;
const hasColours = isTerminal && process.env.NO_COLOR === undefined && process.env.TERM !== 'dumb';
const WIDTH = Math.max(60, Math.min(100, process.stdout.columns ?? 100));
const BAR_CELLS = 24;

const style = (open, close) => (text) => (hasColours ? `\u001b[${open}m${text}\u001b[${close}m` : text);
export const bold = style(1, 22);
export const dim = style(2, 22);
export const red = style(31, 39);
export const green = style(32, 39);
export const yellow = style(33, 39);
export const cyan = style(36, 39);

export function print(line = '') {
  process.stdout.write(`${line}\n`);
}

/** A numbered step of the story. */
export function heading(number, title) {
  print(`\n${bold(cyan(`${number}`.padStart(2)))}  ${bold(title)}`);
}

/** The text on lines of its own behind an indent; white space becomes single spaces. */
export function paragraph(text, indent) {
  const lines = new LineFlow(indent);
  lines.write(text.replace(/\s+/g, ' ').trim());
  lines.end();
}

/** Characters that fill two cells of a terminal, and marks that fill none. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NARROWEST = /\p{Mn}/u;
const cellsOf = (text) => [...text].reduce((sum, c) => sum + (NARROWEST.test(c) ? 0 : WIDE.test(c) ? 2 : 1), 0);

/** Writes text that comes in pieces and breaks its lines at spaces, or anywhere in a word that is wider than a line. */
export class LineFlow {
  /** `lead` is before the first line instead of the indent; it must have the same width. */
  constructor(indent, lead = indent) {
    this.indent = indent;
    this.lead = lead;
    this.column = 0;
    this.word = '';
    this.gap = '';
  }

  write(piece) {
    for (const character of piece) {
      if (!/\s/u.test(character)) {
        if (this.indent.length + cellsOf(this.word + character) > WIDTH) this.flush();
        this.word += character;
        continue;
      }
      this.flush();
      if (character === '\n') this.break();
      else if (this.column > 0) this.gap = ' ';
    }
  }

  end() {
    this.flush();
    this.break();
  }

  flush() {
    if (this.word === '') return;
    const cells = cellsOf(this.gap + this.word);
    if (this.indent.length + this.column + cells > WIDTH) this.break();
    process.stdout.write(`${this.column === 0 ? this.lead : ''}${this.gap}${this.word}`);
    if (this.column === 0) this.lead = this.indent;
    this.column += cells;
    this.word = '';
    this.gap = '';
  }

  break() {
    if (this.column > 0) process.stdout.write('\n');
    this.column = 0;
    this.gap = '';
  }
}

/** Lines that are drawn again in place on a terminal; elsewhere each is printed once, when it is final. */
export class LiveLines {
  constructor() {
    this.drawn = 0;
    this.printed = new Set();
  }

  /** @param {readonly { key: string, text: string, isFinal: boolean }[]} lines */
  draw(lines) {
    if (isTerminal) {
      if (this.drawn > 0) process.stdout.write(`\u001b[${this.drawn}A`);
      for (const { text } of lines) process.stdout.write(`\u001b[2K${text}\n`);
      this.drawn = lines.length;
      return;
    }
    for (const { key, text } of lines.filter((line) => line.isFinal && !this.printed.has(line.key))) {
      print(text);
      this.printed.add(key);
    }
  }
}

/** A bar for 0 to 100 percent. */
export function bar(percent) {
  const full = Math.round((percent / 100) * BAR_CELLS);
  const [done, open] = hasColours ? ['█', '░'] : ['#', '.'];
  return `${green(done.repeat(full))}${dim(open.repeat(BAR_CELLS - full))} ${String(Math.round(percent)).padStart(3)} %`;
}

export function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}

export function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
