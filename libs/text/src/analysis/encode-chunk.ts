import { collectTerms, titleOf, type ChunkInput, type TermSink } from './chunk-terms.js';
import { encodeHashes } from './encoded-terms.js';
import { HashList } from './hash-list.js';
import { hashTerm } from './term-hash.js';

/** Collects hashes and makes no strings of the terms, of which a text has about as many as letters. */
class HashSink implements TermSink {
  readonly words = new HashList();
  readonly grams = new HashList();

  constructor(private readonly leg: 'words' | 'title') {}

  word(text: string, start: number, end: number): void {
    this.words.push(hashTerm(this.leg, text, start, end));
  }

  gram(text: string, start: number, end: number): void {
    if (this.leg === 'words') this.grams.push(hashTerm('grams', text, start, end));
  }
}

/** `encodeTerms(analyzeChunk(input))`, the same bytes in less than half the time. */
export function encodeChunk(input: ChunkInput): Uint8Array {
  const body = new HashSink('words');
  const title = new HashSink('title');
  const words = collectTerms(input.text, body);
  const titleWords = collectTerms(titleOf(input), title);
  return encodeHashes({
    words: { hashes: body.words.values(), length: words },
    grams: { hashes: body.grams.values(), length: body.grams.size },
    title: { hashes: title.words.values(), length: titleWords },
  });
}
