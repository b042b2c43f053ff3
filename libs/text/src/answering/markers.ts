/** A citation marker in an answer; `end` exclusive. */
export interface Marker {
  number: number;
  start: number;
  end: number;
}

/** An answer with only those markers that point to a source. */
export interface MarkedAnswer {
  answer: string;
  /** Remaining markers in order, with offsets in `answer`. */
  markers: Marker[];
  /** How many pointed nowhere. */
  removed: number;
}

/** `[1]`, `[1, 2]`, `【3】`; not the text of a Markdown link. */
const MARKER = /[[【［](\d{1,3}(?:\s?[,;，、]\s?\d{1,3})*)[\]】］](?!\()/g;
const SPACED_MARKER = new RegExp(`[ \\t]?${MARKER.source}`, 'g');

/** Code, in which brackets with a number are indices. */
const CODE = /```[^]*?(?:```|$)|`[^`\n]+`/g;

/** Finds the markers of an answer, writes each as `[n]` and removes those without a source together with the space before. */
export function resolveMarkers(answer: string, numbers: ReadonlySet<number>): MarkedAnswer {
  const code = [...answer.matchAll(CODE)].map((match) => [match.index, match.index + match[0].length] as const);
  const markers: Marker[] = [];
  let [written, read, removed] = ['', 0, 0];
  for (const match of answer.matchAll(MARKER)) {
    if (code.some(([start, end]) => match.index >= start && match.index < end)) continue;
    const wanted = (match[1] as string).split(/\D+/).map(Number);
    const known = wanted.filter((number) => numbers.has(number));
    removed += wanted.length - known.length;
    const after = match.index + match[0].length;
    written += answer.slice(read, match.index);
    if (known.length === 0 && /^(?:[\s\p{P}]|$)/u.test(answer.slice(after, after + 2)))
      written = written.replace(/[ \t]$/, '');
    for (const number of known) {
      const start = written.length;
      written += `[${number}]`;
      markers.push({ number, start, end: written.length });
    }
    read = after;
  }
  return { answer: written + answer.slice(read), markers, removed };
}

/** The text without any marker and the space before it; offsets are not kept. */
export function stripMarkers(text: string): string {
  return text.replace(SPACED_MARKER, '');
}
