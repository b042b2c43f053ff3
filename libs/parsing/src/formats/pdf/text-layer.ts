const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** Shorter words are what OCR makes of specks, and are in any text. */
const LEAST_UNITS = 4;
/** Fewer words tell nothing. */
const LEAST_WORDS = 10;
/** Of the words on a picture, those that a layer of poor OCR has still. */
const LEAST_SHARE = 0.4;

/** Whether a text layer says something else than what is on the picture (`seen`, as OCR reads it): most words of that are not in it. */
export function saysOtherwise(layer: string, seen: string): boolean {
  const words = wordsOf(seen);
  if (words.length < LEAST_WORDS) return false;
  const known = new Set(wordsOf(layer));
  return words.filter((word) => known.has(word)).length < words.length * LEAST_SHARE;
}

/** Long words in small letters, without accents; texts without spaces give their characters. */
function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return (plain.match(WORD) ?? []).flatMap((word) => {
    if (UNSPACED.test(word)) return [...word];
    return word.length >= LEAST_UNITS ? word : [];
  });
}
