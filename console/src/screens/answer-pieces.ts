interface Marked {
  readonly marker: string;
}

/** What of an answer is looked at. */
interface Answered {
  readonly text: string;
  readonly citations: readonly Marked[];
  readonly sources?: readonly Marked[] | undefined;
  readonly state?: string | undefined;
  readonly grounding?:
    { readonly unsupported_spans: readonly { readonly start: number; readonly end: number }[] } | undefined;
}

/** A stretch of an answer that looks alike. `at` is its place in the text that the service gave. */
export interface Piece {
  readonly at: number;
  readonly text: string;
  readonly isStrong: boolean;
  readonly isCode: boolean;
  /** No source supports it. */
  readonly isUnproven: boolean;
  /** Set on the marker of a citation, such as `[1]`. */
  readonly marker?: string;
  /** Set on a link that the service lets stand. */
  readonly href?: string;
}

/**
 * The service writes answers in a small part of Markdown: backslashes before what would be markup, code between backticks, marks of bold and
 * italic text, headings, and links to places that are allowed.
 */
const MARKUP =
  /\\([!-/:-@[-`{-~])|(?<!`)(`+)(?!`)([^]*?[^`])\2(?!`)|\[(\d+)\](?!\()|\[((?:\\.|[^\]\\])*)\]\((https?:\/\/[^\s)]+)\)|<(https?:\/\/[^\s>]+)>|(\*\*|__)|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])|^(#{1,6}) /gm;

/** The service writes an address that is no link between backticks, so that nothing makes one of it: it is no code. */
const ADDRESS = /^(?:[a-z][a-z\d+.-]*:\/\/|\/\/|www\.)\S+$|^[^\s@]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/iu;

interface Stretch {
  readonly at: number;
  readonly end: number;
  readonly text: string;
  readonly marker?: string;
  readonly href?: string;
  readonly isCode?: boolean;
}

/** An answer in pieces, each of which is plain text to whoever shows it. */
export function piecesOf({ text, citations, sources = [], state, grounding }: Answered): Piece[] {
  const spans = grounding?.unsupported_spans ?? [];
  // While an answer comes, nothing is said of its citations yet.
  const marked = state === 'coming' && citations.length === 0 ? sources : citations;
  const markers = new Set(marked.map(({ marker }) => marker));
  const isUnproven = (at: number, end: number): boolean => spans.some((span) => at >= span.start && end <= span.end);
  const borders = spans.flatMap(({ start, end }) => [start, end]).toSorted((a, b) => a - b);
  const pieces: Piece[] = [];
  let [read, isStrong, isHeading] = [0, false, false];
  const put = ({ at, end, isCode = false, ...one }: Stretch): void => {
    if (one.text === '') return;
    pieces.push({ at, ...one, isCode, isStrong: isStrong || isHeading, isUnproven: isUnproven(at, end) });
  };
  const putPlain = (from: number, to: number): void => {
    // A heading ends with its line, and what is unproven where it ends.
    const cuts = [from, ...borders.filter((border) => border > from && border < to)];
    if (isHeading) cuts.push(...[...text.slice(from, to).matchAll(/\n/g)].slice(0, 1).map(({ index }) => from + index));
    const sorted = [...cuts, to].toSorted((a, b) => a - b);
    for (const [place, at] of sorted.slice(0, -1).entries()) {
      if (text[at] === '\n') isHeading = false;
      put({ at, end: sorted[place + 1]!, text: text.slice(at, sorted[place + 1]) });
    }
  };
  for (const match of text.matchAll(MARKUP)) {
    const [whole, escaped, , code, number, label, target, address, strong, heading] = match;
    if (number !== undefined && !markers.has(whole)) continue;
    putPlain(read, match.index);
    const place = { at: match.index, end: match.index + whole.length };
    read = place.end;
    if (escaped !== undefined) put({ ...place, text: escaped });
    else if (code !== undefined) put({ ...place, text: code, isCode: !ADDRESS.test(code) });
    else if (number !== undefined) put({ ...place, text: number, marker: whole });
    else if (target !== undefined) put({ ...place, text: label!.replace(/\\(.)/g, '$1'), href: target });
    else if (address !== undefined) put({ ...place, text: address, href: address });
    else if (strong !== undefined) isStrong = !isStrong;
    else if (heading !== undefined) isHeading = true;
  }
  putPlain(read, text.length);
  return pieces;
}

/**
 * The numbers under which the sources of an answer are shown, by their markers: 1, 2, 3 … in the order in which the text first cites them, before
 * those that it does not cite. The service numbers them in the order in which it found them.
 */
export function numbersOf(turn: Answered): ReadonlyMap<string, number> {
  const inText = piecesOf(turn).flatMap(({ marker }) => marker ?? []);
  const others = [...turn.citations, ...(turn.sources ?? [])].map(({ marker }) => marker);
  return new Map([...new Set([...inText, ...others])].map((marker, nth) => [marker, nth + 1]));
}

/** The answer without its markup, as it is read. */
export function plainOf(turn: Answered): string {
  const numbers = numbersOf(turn);
  return piecesOf(turn)
    .map(({ text, marker }) => (marker === undefined ? text : `[${numbers.get(marker)}]`))
    .join('');
}
