import { isAllowed, isNearer, type BorderFinder, type CutRange, type Passage } from './borders.js';

/** Columns of indentation that an open bracket is worth. */
const BRACKET = 4;
/** A line that goes on with what is above it. */
const CLOSER = /^(?:[)\]}]|end\b|else\b|elif\b|elsif\b|except\b|finally\b|catch\b|fi\b|done\b|esac\b|\*\/|then\b|do$)/;
/** A line that belongs to the definition below it: comment, decorator, attribute. */
const LEADER = /^(?:\/\/|\/\*|\*|#(?!\s*(?:include|define|if|else|endif|pragma))|@|--|;;|"""|'''|\[)/;
/** A cut after a blank line is better by this, one between a comment and what it explains worse. */
const AFTER_BLANK = 0.5;
const AFTER_LEADER = 0.75;

/**
 * Before a line of code of the least depth (indentation and open brackets), after a blank line rather than not: between
 * definitions if there is such a place, else between statements. With `everywhere` any text is taken for code.
 */
export function codeBorder(everywhere: boolean): BorderFinder {
  return (passage, range) => {
    const { text, base } = passage;
    const from = range.lowest ?? range.low;
    let best = -1;
    let least = Infinity;
    let brackets = 0;
    let above: 'blank' | 'leader' | 'code' = 'code';
    let at = lineStart(text, from - base);
    while (at < range.high - base) {
      const next = text.indexOf('\n', at);
      const end = next < 0 || next > range.high - base ? range.high - base : next;
      const line = text.slice(at, end);
      const words = line.trimStart();
      const place = base + at;
      if (words === '') above = 'blank';
      else {
        const bonus = above === 'blank' ? -AFTER_BLANK : above === 'leader' ? AFTER_LEADER : 0;
        const depth = columns(line) + brackets * BRACKET + bonus;
        const isBetter = depth < least || (depth === least && isNearer(place, best, range.target));
        if (isBetter && place >= from && !CLOSER.test(words) && mayCut(passage, range, place, everywhere)) {
          best = place;
          least = depth;
        }
        above = LEADER.test(words) ? 'leader' : 'code';
        brackets += balance(line);
      }
      at = end + 1;
    }
    return best;
  };
}

function mayCut(passage: Passage, range: CutRange, at: number, everywhere: boolean): boolean {
  if (!isAllowed(at, range)) return false;
  return everywhere || passage.runs.some((run) => run.kind === 'code' && run.start < at && run.end > at);
}

/** The first line that begins at or after `at`. */
function lineStart(text: string, at: number): number {
  if (at <= 0 || text.charCodeAt(at - 1) === 10) return Math.max(0, at);
  const next = text.indexOf('\n', at);
  return next < 0 ? text.length : next + 1;
}

/** Brackets that a line opens beyond those that it closes. */
function balance(line: string): number {
  let open = 0;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === 0x7b || code === 0x28 || code === 0x5b) open++;
    else if (code === 0x7d || code === 0x29 || code === 0x5d) open--;
  }
  return open;
}

function columns(line: string): number {
  let width = 0;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === 0x20) width++;
    else if (code === 0x09) width += 4 - (width % 4);
    else break;
  }
  return width;
}
