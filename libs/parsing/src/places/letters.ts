/** What is compared: letters and digits alone. The reader joins divided words, spaces them again and takes marks away. */
const LETTER = /[\p{L}\p{N}]/u;

/** Letters and digits of a text in small letters, without accents and ligatures, and where each is in it. */
export interface Letters {
  readonly letters: string;
  /** For each unit of `letters` the first code unit of its character, and one past the last one. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** `offset` is added to all places. */
export function lettersOf(text: string, offset = 0): Letters {
  const letters: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let at = offset;
  for (const character of text) {
    for (const part of character.normalize('NFKD').toLowerCase()) {
      if (!LETTER.test(part)) continue;
      for (let unit = 0; unit < part.length; unit += 1) {
        letters.push(part.charAt(unit));
        starts.push(at);
        ends.push(at + character.length);
      }
    }
    at += character.length;
  }
  return { letters: letters.join(''), starts, ends };
}
