import { collectTerms } from './chunk-terms.js';
import type { LatinLanguage } from './own-stems.js';
import { hashTerm } from './term-hash.js';

/** Words that are remembered; texts repeat theirs, so that most calls are answered from memory. */
const MEMO_LIMIT = 50_000;
/** A longer word is not worth its place. */
const WORD_MAX = 40;
let memo = new Map<string, readonly number[]>();

/** As which a word in Latin letters may stand in a chunk. */
const LATIN_LANGUAGES: readonly LatinLanguage[] = [undefined, 'tr'];

/** Hashes of the terms of one word in the leg of words, as a chunk that holds it has them, whatever the chunk's language is. */
export function wordHashes(word: string): readonly number[] {
  const known = memo.get(word);
  if (known !== undefined) return known;
  const distinct = new Set<number>();
  const sink = {
    word: (text: string, start: number, end: number) => void distinct.add(hashTerm('words', text, start, end)),
    gram: () => undefined,
  };
  for (const latin of LATIN_LANGUAGES) collectTerms(word, sink, latin);
  const hashes = [...distinct];
  if (word.length > WORD_MAX) return hashes;
  if (memo.size >= MEMO_LIMIT) memo = new Map();
  // A copy: a slice would keep the whole text alive that it was cut from.
  memo.set(Buffer.from(word, 'utf16le').toString('utf16le'), hashes);
  return hashes;
}
