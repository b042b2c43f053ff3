interface Contribution {
  readonly leg: string;
  readonly term: string;
  readonly contribution: number;
}

interface Evidence {
  readonly words: readonly { readonly word: string }[];
  readonly terms: readonly Contribution[];
}

/**
 * Whether parts of words alone have found an excerpt: none of the words that matter stands in it, or in its headings, as the question writes it, nor
 * does its stem. That function words do says nothing.
 */
export function isFoundByParts({ words, terms }: Evidence): boolean {
  const written = words.flatMap(({ word }) => plain(word).match(/[\p{L}\p{N}]+/gu) ?? []);
  const found = terms.filter(({ contribution }) => contribution > 0);
  const isWord = ({ leg, term }: Contribution): boolean =>
    leg !== 'grams' && written.some((word) => isFormOf(plain(term), word));
  return words.length > 0 && found.some(({ leg }) => leg === 'grams') && !found.some(isWord);
}

/** Stems end in a letter of their own (“batteri” of “battery”) or end early. */
const SHORTEST_SHARED = 3;

function isFormOf(term: string, word: string): boolean {
  const shared = term.slice(0, -1);
  return word.startsWith(term) || (shared.length >= SHORTEST_SHARED && word.startsWith(shared));
}

/** As an index writes words: small, without marks above letters. */
const plain = (text: string): string =>
  text.toLowerCase().replaceAll('ß', 'ss').normalize('NFKD').replaceAll(/\p{M}/gu, '');
