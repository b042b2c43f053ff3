import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeywordScorer } from '../keyword.js';
import { analyzeChunk } from './chunk-terms.js';
import { decodeTerms, encodeTerms, type EncodedTerms } from './encoded-terms.js';
import { packedSize, packTerms, unpackTerms } from './packed-terms.js';
import { analyzeQuery } from './query-terms.js';
import { summarizeTerms, TermStatistics } from './term-statistics.js';

const WORDS = ['pump', 'valves', 'Überdruck', 'v2.19.5', 'parseHttpHeader', '合同期限', 'สัญญา', 'насос', 'the', 'pump'];
const anyText = fc.array(fc.constantFrom(...WORDS), { maxLength: 30 }).map((words) => words.join(' '));
const anyTerms = fc
  .record({ text: anyText, title: anyText })
  .map((input): EncodedTerms => decodeTerms(encodeTerms(analyzeChunk(input))));

/** All of them in one stretch of memory. */
function pack(chunks: readonly EncodedTerms[]): { words: Uint32Array; places: number[] } {
  const words = new Uint32Array(chunks.reduce((sum, chunk) => sum + packedSize(chunk), 1));
  const places: number[] = [];
  let at = 1;
  for (const chunk of chunks) {
    packTerms(chunk, words, at);
    places.push(at);
    at += packedSize(chunk);
  }
  expect(at).toBe(words.length);
  return { words, places };
}

describe('packTerms', () => {
  it('keeps terms of many chunks side by side', () => {
    fc.assert(
      fc.property(fc.array(anyTerms, { maxLength: 6 }), (chunks) => {
        const { words, places } = pack(chunks);
        expect(places.map((at) => unpackTerms(words, at))).toEqual(chunks);
      }),
    );
  });

  it('is scored to the same bits as the terms themselves', () => {
    fc.assert(
      fc.property(fc.array(anyTerms, { minLength: 1, maxLength: 6 }), anyText, (chunks, question) => {
        const statistics = new TermStatistics();
        statistics.add(summarizeTerms(chunks));
        const scorer = new KeywordScorer(analyzeQuery(question), statistics);
        const { words, places } = pack(chunks);
        const octets = new Uint8Array(words.buffer);
        expect(places.map((at) => scorer.scorePacked(words, octets, at))).toEqual(
          chunks.map((chunk) => scorer.score(chunk)),
        );
      }),
    );
  });
});
