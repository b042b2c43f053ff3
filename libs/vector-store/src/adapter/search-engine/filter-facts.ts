import { allFacts, type ChunkMetadata, type FilterScalar, type MetadataScalar } from '../../filter.js';

/**
 * Metadata as terms of one keyword field, so that any key can be filtered by type without a field of its own. A term is a letter
 * for what it says, the key, a NUL and the value in a form whose byte order is the order of the values:
 *
 * - `e` the key has a value, be it an empty list; `s`, `n`, `b` a string, number or boolean among its values; `m` a member of a list (with the letter
 *   of its type before the value); `c` a string that is not in a list, or a piece of a long one, for substrings.
 * - Numbers are the 16 hexadecimal digits of their bits, turned so that they sort; `created_at` is such a number of milliseconds.
 */
export type FactKind = 'e' | 's' | 'n' | 'b' | 'm' | 'c';

/**
 * Code points of a string that one term keeps. An engine refuses terms over 32,766 bytes. What is asked for is at most half as
 * long, so a cut value neither equals it nor sorts otherwise.
 */
const PIECE = 8_000;
/** Code points that two pieces share: whatever is looked for inside lies whole in one of them. */
const OVERLAP = 4_096;

/** The terms of a document's metadata. */
export function factTerms(chunk: ChunkMetadata): string[] {
  const terms = new Set<string>();
  for (const [key, value] of allFacts(chunk)) {
    if (value === null) continue;
    terms.add(factTerm('e', key));
    const members = (Array.isArray(value) ? value : [value]) as readonly MetadataScalar[];
    for (const member of members) {
      if (member === null) continue;
      for (const term of memberTerms(key, member, Array.isArray(value))) terms.add(term);
    }
  }
  return [...terms];
}

/** A term; without a value the beginning of all terms of that kind and key. */
export function factTerm(kind: FactKind, key: string, value: string = ''): string {
  return `${kind}${key.replaceAll('%', '%25').replaceAll('\0', '%00')}\0${value}`;
}

/** The letter and the text by which a value is compared with others of its type. */
export function typedValue(key: string, value: FilterScalar): { kind: 's' | 'n' | 'b'; text: string } | undefined {
  if (key === 'created_at') {
    const instant = typeof value === 'string' ? Date.parse(value) : Number.NaN;
    return Number.isNaN(instant) ? undefined : { kind: 'n', text: sortableNumber(instant) };
  }
  if (typeof value === 'number') return { kind: 'n', text: sortableNumber(value) };
  if (typeof value === 'boolean') return { kind: 'b', text: String(value) };
  return { kind: 's', text: beginning(value) };
}

/** The bits of a number as 16 hexadecimal digits that sort as the numbers do; both zeros are one. */
export function sortableNumber(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value === 0 ? 0 : value);
  const bits = view.getBigUint64(0);
  const isNegative = bits >> 63n === 1n;
  const turned = isNegative ? BigInt.asUintN(64, ~bits) : bits | (1n << 63n);
  return turned.toString(16).padStart(16, '0');
}

function memberTerms(key: string, member: FilterScalar, isInList: boolean): string[] {
  const typed = typedValue(key, member);
  if (typed === undefined) return [];
  const terms = [factTerm(typed.kind, key, typed.text)];
  if (key === 'created_at') return terms;
  if (isInList) terms.push(factTerm('m', key, `${typed.kind}${typed.text}`));
  else if (typeof member === 'string') terms.push(...pieces(member).map((piece) => factTerm('c', key, piece)));
  return terms;
}

function beginning(value: string): string {
  return value.length <= PIECE ? value : Array.from(value).slice(0, PIECE).join('');
}

function pieces(value: string): string[] {
  if (value.length <= PIECE) return [value];
  const points = Array.from(value);
  const cut: string[] = [];
  for (let start = 0; start === 0 || start + OVERLAP < points.length; start += PIECE - OVERLAP) {
    cut.push(points.slice(start, start + PIECE).join(''));
  }
  return cut;
}
