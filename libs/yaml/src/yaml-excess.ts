import { Lexer } from 'yaml';
import type { Steps } from '#libs/common';

/** What a YAML text may hold. */
export interface YamlBounds {
  /** Most tokens of one kind: names and values are one kind, items of lists another, aliases a third. */
  readonly values: number;
  /** Most maps and lists within each other. */
  readonly depth: number;
  /** Most lines, empty ones and comments among them. */
  readonly lines: number;
}

/** Announces a plain text. */
const SCALAR = '\u001f';
/** Marks of the lexer and the byte order mark: they take no column. */
const MARKS: ReadonlySet<string> = new Set([SCALAR, '\u0002', '\u0018', '\ufeff']);
/** First characters of tokens that hold no value: white space, line ends and comments. */
const BLANK: ReadonlySet<string> = new Set([' ', '\t', '\r', '\n', '#']);
const STEP_TOKENS = 1000;

/**
 * Which bound a YAML text exceeds, or undefined. Found from its tokens, before anything is made of them: a parser that recurses runs out
 * of stack on what is nested too deeply, and out of time on what holds too much. The depth is estimated from columns, within a factor of
 * two: what is made of the text is still to be looked at.
 */
export function* findYamlExcess(text: string, bounds: YamlBounds): Steps<keyof YamlBounds | undefined> {
  const counter = new YamlCounter();
  let tokens = 0;
  for (const token of new Lexer().lex(text)) {
    counter.take(token);
    if (counter.most > bounds.values) return 'values';
    if (counter.depth > 2 * bounds.depth) return 'depth';
    if (counter.lines > bounds.lines) return 'lines';
    if (++tokens % STEP_TOKENS === 0) yield;
  }
  return undefined;
}

/** Counts tokens by their kind, and from their columns how deep they are. */
class YamlCounter {
  lines = 1;
  private readonly counts = new Map<string, number>();
  /** Columns of what is open in block style: each is deeper than the one before. */
  private readonly columns: number[] = [];
  private flow = 0;
  private column = 0;
  /** Pairs within pairs of one line, `a: : :`. */
  private colons = 0;
  private isScalar = false;
  /** True at the beginning of a line and after `-`, `?` and `:`, where a map or a list may begin. */
  private opens = true;

  /** The count of the kind of which there are most: each token of one kind represents a value of its own. */
  most = 0;

  get depth(): number {
    return this.columns.length + this.flow + Math.max(0, this.colons - 1);
  }

  take(token: string): void {
    if (this.isScalar) {
      this.isScalar = false;
      this.place('scalar');
    } else if (token === SCALAR) {
      this.isScalar = true;
      return;
    } else {
      this.takeToken(token);
    }
    if (!MARKS.has(token)) this.move(token);
  }

  private takeToken(token: string): void {
    const [first = ''] = token;
    if (MARKS.has(first) || BLANK.has(first)) return;
    switch (first) {
      case '{':
      case '[':
        this.place('open');
        this.flow += 1;
        return;
      case '}':
      case ']':
        this.count('close');
        this.flow = Math.max(0, this.flow - 1);
        return;
      case '-':
      case '?':
        this.place(first);
        this.opens = true;
        return;
      case ':':
        this.count(first);
        if (this.flow > 0) return;
        this.colons += 1;
        this.opens = true;
        return;
      default:
        this.place(first === '"' || first === "'" ? 'scalar' : first);
    }
  }

  private place(kind: string): void {
    this.count(kind);
    if (!this.opens || this.flow > 0) return;
    this.opens = false;
    while ((this.columns.at(-1) ?? -1) > this.column) this.columns.pop();
    if (this.columns.at(-1) !== this.column) this.columns.push(this.column);
  }

  private count(kind: string): void {
    const count = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, count);
    if (count > this.most) this.most = count;
  }

  /** A text of several lines ends where it ends; what follows it on a line of its own begins at the line's own column. */
  private move(token: string): void {
    const last = token.lastIndexOf('\n');
    if (last === -1) {
      this.column += token.length;
      return;
    }
    for (let at = token.indexOf('\n'); at !== -1; at = token.indexOf('\n', at + 1)) this.lines += 1;
    this.column = token.length - last - 1;
    this.opens = true;
    this.colons = 0;
  }
}
