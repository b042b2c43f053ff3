import { collectTerms, titleOf, type ChunkInput, type TermSink } from './chunk-terms.js';
import { countLeg, encodeShort, type EncodedTerms } from './encoded-terms.js';
import { HashList } from './hash-list.js';
import { latinLanguageOf, STEMS_MARK } from './own-stems.js';
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

/** The terms of a chunk, and how they are stored. */
export interface EncodedChunk {
  readonly terms: EncodedTerms;
  /** For `decodeTerms`, together with the text. */
  readonly bytes: Uint8Array;
}

/** What the terms of a chunk are made from: the line about it, if there is one, and its text. */
export function chunkText(body: string, context: string | null): string {
  return context === null ? body : `${context}\n${body}`;
}

/** The terms of `analyzeChunk(input)` in less than half the time. The same input gives the same bytes. */
export function encodeChunk(input: ChunkInput): EncodedChunk {
  const body = new HashSink('words');
  const title = new HashSink('title');
  const latin = latinLanguageOf(input.text);
  const words = collectTerms(input.text, body, latin);
  body.word(STEMS_MARK, 0, STEMS_MARK.length);
  const titleWords = collectTerms(titleOf(input), title, latin);
  const terms = {
    words: countLeg({ hashes: body.words.values(), length: words }),
    grams: countLeg({ hashes: body.grams.values(), length: body.grams.size }),
    title: countLeg({ hashes: title.words.values(), length: titleWords }),
  };
  return { terms, bytes: encodeShort(terms) };
}
