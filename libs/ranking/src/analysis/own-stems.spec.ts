import { describe, expect, it } from 'vitest';
import { summarizeTerms, TermStatistics } from './term-statistics.js';
import { analyzeChunk, STEMS_MARK, type ChunkInput } from './chunk-terms.js';
import { decodeTerms, encodeTerms, type EncodedTerms } from './encoded-terms.js';
import { analyzeQuery } from './query-terms.js';
import { latinLanguageOf, latinLanguageOfQuestion, ownStem } from './own-stems.js';
import { KeywordScorer } from '../keyword.js';

const TURKISH = 'Kitapları rafa yeni memurlar dizer; kütüphanenin kapısı sabahları açılır.';

const encode = (input: ChunkInput): EncodedTerms => decodeTerms(encodeTerms(analyzeChunk(input)));
/** As a chunk was indexed before there were stems of its own language. */
function encodeBefore(text: string): EncodedTerms {
  const { words, ...rest } = analyzeChunk({ text });
  const older = words.filter((word) => word !== STEMS_MARK && word !== 'дом');
  return decodeTerms(encodeTerms({ ...rest, words: older }));
}
function statisticsOf(chunks: readonly EncodedTerms[]): TermStatistics {
  const statistics = new TermStatistics();
  for (const chunk of chunks) statistics.add(summarizeTerms([chunk]));
  return statistics;
}

describe('ownStem', () => {
  it.each([
    ['домами', 'дом'],
    ['детей', 'дет'],
    ['المدينة', 'مدين'],
    ['الكتاب', 'كتاب'],
  ])('takes the endings of %s', (word, stem) => expect(ownStem(word, undefined)).toBe(stem));

  it('knows words in Latin letters only of a text that is Turkish', () => {
    expect(ownStem('kitapları', 'tr')).toBe('kitap');
    expect(ownStem('kitapları', undefined)).toBeUndefined();
  });

  it.each(['پنجره', 'लोग', 'δρόμος', 'c3', '東京'])('leaves %s alone', (word) =>
    expect(ownStem(word, undefined)).toBeUndefined(),
  );
});

describe('latinLanguageOf', () => {
  it('tells Turkish from others that write its names', () => {
    expect(latinLanguageOf(TURKISH)).toBe('tr');
    expect(
      latinLanguageOf('Der Präsident Erdoğan sprach gestern in Ankara, und die Presse war nicht dabei.'),
    ).toBeUndefined();
    expect(latinLanguageOf('The library opens at nine, and the books are returned by the door.')).toBeUndefined();
    expect(latinLanguageOfQuestion('Kitapları kim diziyor?')).toBe('tr');
  });
});

describe('words by the stems of their own language', () => {
  it.each([
    ['В домах нет света', 'дома'],
    ['وصلت القوات إلى المدينة', 'مدينة'],
    [TURKISH, 'kitabın rafı nerede, kitaplar kimin için?'],
  ])('finds “%s” by another form of its words', (text, question) => {
    const words = new Set(analyzeChunk({ text }).words);
    const shared = analyzeQuery(question).words.filter(({ term, weight }) => weight === 1 && words.has(term));
    expect(shared.length).toBeGreaterThan(0);
  });

  it('counts them only where every chunk has them, and else ranks as before', () => {
    const query = analyzeQuery('домами');
    const [stemmed, before] = [encode({ text: 'домами' }), encodeBefore('домами')];
    const all = new KeywordScorer(query, statisticsOf([stemmed, encode({ text: 'лес' })]));
    const mixed = new KeywordScorer(query, statisticsOf([before, encode({ text: 'лес' })]));
    const termsOf = (scorer: KeywordScorer, chunk: EncodedTerms): string[] =>
      scorer.explain(chunk).flatMap(({ leg, term }) => (leg === 'words' ? [term] : []));
    expect(termsOf(all, stemmed).sort()).toEqual(['дом', 'домами']);
    expect(termsOf(mixed, before)).toEqual(['домами']);
    const grams = mixed.explain(before).filter(({ leg }) => leg === 'grams');
    expect(grams.map(({ score }) => score)).toEqual(
      new KeywordScorer(query, statisticsOf([before, encodeBefore('лес')]))
        .explain(before)
        .flatMap(({ leg, score }) => (leg === 'grams' ? [score] : [])),
    );
  });
});
