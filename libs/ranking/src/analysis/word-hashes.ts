import { collectTerms } from './chunk-terms.js';
import type { LatinLanguage } from './own-stems.js';
import { hashTerm } from './term-hash.js';

/** Words that are remembered; texts repeat theirs, so that most calls are answered from memory. */
const MEMO_LIMIT = 50_000;
/** A longer word is not worth its place. */
const WORD_MAX = 40;
let memos = emptyMemos();

function emptyMemos(): Record<'tr' | 'other', Map<string, readonly number[]>> {
  return { tr: new Map(), other: new Map() };
}

/** Hashes of the terms of one word in the leg of words, as a chunk that holds it has them. `latin`: `latinLanguageOf` the chunk. */
export function wordHashes(word: string, latin: LatinLanguage): readonly number[] {
  const memo = memos[latin ?? 'other'];
  const known = memo.get(word);
  if (known !== undefined) return known;
  const hashes: number[] = [];
  const sink = {
    word: (text: string, start: number, end: number) => void hashes.push(hashTerm('words', text, start, end)),
    gram: () => undefined,
  };
  collectTerms(word, sink, latin);
  if (word.length > WORD_MAX) return hashes;
  if (memo.size >= MEMO_LIMIT) memos = emptyMemos();
  // A copy: a slice would keep the whole text alive that it was cut from.
  memos[latin ?? 'other'].set(Buffer.from(word, 'utf16le').toString('utf16le'), hashes);
  return hashes;
}
