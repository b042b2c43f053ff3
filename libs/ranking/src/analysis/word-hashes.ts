import { collectTerms } from './chunk-terms.js';
import { hashTerm } from './term-hash.js';

/** Words that are remembered; texts repeat theirs, so that most calls are answered from memory. */
const MEMO_LIMIT = 50_000;
/** A longer word is not worth its place. */
const WORD_MAX = 40;
let memo = new Map<string, readonly number[]>();

/** Hashes of the terms of one word in the leg of words, as a chunk that holds it has them. */
export function wordHashes(word: string): readonly number[] {
  const known = memo.get(word);
  if (known !== undefined) return known;
  const hashes: number[] = [];
  collectTerms(word, {
    word: (text, start, end) => hashes.push(hashTerm('words', text, start, end)),
    gram: () => undefined,
  });
  if (word.length > WORD_MAX) return hashes;
  if (memo.size >= MEMO_LIMIT) memo = new Map();
  // A copy: a slice would keep the whole text alive that it was cut from.
  memo.set(Buffer.from(word, 'utf16le').toString('utf16le'), hashes);
  return hashes;
}
