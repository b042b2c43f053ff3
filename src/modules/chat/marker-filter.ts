import { resolveCitations, type CitationSource } from '#libs/text';

/** Code, as the resolution of markers understands it; an open fence reaches to the end, an open backtick is no code yet. */
const CODE = /```[^]*?(?:```|$)|`[^`\n]+`/g;

/** A marker that stands at the end, or the beginning of one, with the space before it; what follows decides about it. */
const UNDECIDED_MARKER = /[ \t]?(?:[[【［][\d\s,;，、]*[\]】］]|[[【［][\d\s,;，、]*|[ \t]|[\ud800-\udbff])$/;

/** Resolves markers in text that arrives in pieces. What it gives out is, joined, what `resolveCitations` makes of the whole. */
export class MarkerFilter {
  private readonly sources: readonly CitationSource[];
  /** Raw text from the last place whose resolution does not depend on what stands before it. */
  private pending = '';
  /** How much of the resolved `pending` has been given out. */
  private given = 0;

  /** @param numbers the numbers that a marker may have; other markers are removed. */
  constructor(numbers: readonly number[]) {
    this.sources = numbers.map((number) => ({ number, text: '', start: 0 }));
  }

  /** Takes the next piece and gives out the text that can no longer change; it may be empty. */
  push(piece: string): string {
    this.pending += piece;
    const decided = this.pending.slice(0, decidedLength(this.pending));
    const text = this.advance(decided);
    if (!endsInsideFence(decided)) {
      this.pending = this.pending.slice(decided.length);
      this.given = 0;
    }
    return text;
  }

  /** The rest, when no more pieces come. */
  flush(): string {
    return this.advance(this.pending);
  }

  private advance(raw: string): string {
    if (raw === '') return '';
    const { answer } = resolveCitations(raw, this.sources);
    const text = answer.slice(this.given);
    this.given = answer.length;
    return text;
  }
}

/** Length of the beginning whose resolution is the same whatever follows. */
function decidedLength(raw: string): number {
  const code = [...raw.matchAll(CODE)].at(-1);
  const codeEnd = code === undefined ? 0 : code.index + code[0].length;
  const lineStart = Math.max(codeEnd, raw.lastIndexOf('\n') + 1);
  const backtick = raw.indexOf('`', lineStart);
  let length = backtick < 0 ? raw.length : backtick;
  for (;;) {
    const match = UNDECIDED_MARKER.exec(raw.slice(codeEnd, length));
    if (match === null) return length;
    length = codeEnd + match.index;
  }
}

function endsInsideFence(raw: string): boolean {
  const code = [...raw.matchAll(CODE)].at(-1);
  if (code === undefined || code.index + code[0].length < raw.length) return false;
  return code[0].startsWith('```') && !/^```[^]*```$/.test(code[0]);
}
