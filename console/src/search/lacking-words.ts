const WORD = /[\p{L}\p{N}]+/gu;
/** Endings of one word differ by no more letters than these: "locker" and "lockers", "Zimmer" and "Zimmern". */
const LONGEST_ENDING = 3;
const SHORTEST_STEM = 4;

/** Of words and names those that do not stand in a text, in no form: what is named as lacking is not to be read right below. */
export function lackingIn(text: string, words: readonly string[]): readonly string[] {
  const present = wordsOf(text);
  return words.filter((word) => !wordsOf(word).every((part) => present.some((one) => areForms(part, one))));
}

const wordsOf = (text: string): readonly string[] => [...new Set(text.toLowerCase().match(WORD))];

function areForms(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short === long) return true;
  if (/\d/.test(long)) return false;
  return short.length >= SHORTEST_STEM && long.length - short.length <= LONGEST_ENDING && long.startsWith(short);
}
