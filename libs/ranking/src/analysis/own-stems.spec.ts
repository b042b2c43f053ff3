import { describe, expect, it } from 'vitest';
import { KeywordScorer } from '../keyword.js';
import { analyzeChunk, type ChunkInput } from './chunk-terms.js';
import { decodeTerms, encodeTerms, type EncodedTerms } from './encoded-terms.js';
import { latinLanguageOf, latinLanguageOfQuestion, ownStem, STEMS_MARK, type LatinLanguage } from './own-stems.js';
import { analyzeQuery, termsFor } from './query-terms.js';
import { hashTerm } from './term-hash.js';
import { summarizeTerms, TermStatistics } from './term-statistics.js';
import { wordHashes } from './word-hashes.js';

const TURKISH = 'Kitapları rafa yeni memurlar dizer; kütüphanenin kapısı sabahları açılır.';

const stemOf = (word: string, latin?: LatinLanguage): string | undefined => ownStem(word, latin)?.stem;
const encode = (input: ChunkInput): EncodedTerms => decodeTerms(encodeTerms(analyzeChunk(input)));
/** As a chunk without inflected words was indexed before there were stems of its own language. */
function encodeBefore(text: string): EncodedTerms {
  const { words, ...rest } = analyzeChunk({ text });
  return decodeTerms(encodeTerms({ ...rest, words: words.filter((word) => word !== STEMS_MARK) }));
}
function statisticsOf(...chunks: readonly EncodedTerms[]): TermStatistics {
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
  ])('takes the endings of %s', (word, stem) => expect(stemOf(word)).toBe(stem));

  it.each([
    ['чёрный', 'черный'],
    ['рублём', 'рублем'],
    ['المـدينة', 'المدينة'],
    ['اَلْمَدِينَة', 'المدينة'],
    ['المدینة', 'المدينة'],
  ])('gives %s the stem of %s, another spelling of the word', (one, other) => expect(stemOf(one)).toBe(stemOf(other)));

  it('knows words in Latin letters only of a text that is Turkish, and no identifiers', () => {
    expect(stemOf('kitapları', 'tr')).toBe('kitap');
    expect(stemOf('kitapları')).toBeUndefined();
    for (const word of ['e-posta', 'x12da', 'δρόμος']) expect(stemOf(word, 'tr')).toBeUndefined();
  });

  it.each(['پنجره', 'लोग', 'δρόμος', 'c3', '東京', ''])('leaves “%s” alone', (word) =>
    expect(ownStem(word, undefined)).toBeUndefined(),
  );
});

describe('latinLanguageOf', () => {
  it('tells Turkish from others that write its names, however its letters are written', () => {
    expect(latinLanguageOf(TURKISH)).toBe('tr');
    expect(latinLanguageOf(TURKISH.normalize('NFD'))).toBe('tr');
    expect(latinLanguageOf('Der Präsident Erdoğan sprach in Ankara, und die Presse war nicht dabei.')).toBeUndefined();
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

  it('asks for them only where every chunk has them', () => {
    const query = analyzeQuery('домами');
    const [stemmed, other, before] = [encode({ text: 'домами' }), encode({ text: 'лес' }), encodeBefore('лес')];
    const wordsOf = (...chunks: EncodedTerms[]): string[] =>
      termsFor(query, statisticsOf(...chunks)).words.map(({ term }) => term);
    expect(wordsOf(stemmed, other)).toEqual(['дом', 'домами']);
    expect(wordsOf(stemmed, other, before)).toEqual(['домами']);
    expect(wordsOf()).toEqual(['дом', 'домами']);
  });

  it('else asks what was asked before: no word is lost from a long question, none counts twice', () => {
    const long = Array.from(
      { length: 120 },
      (_, n) => `слов${'абвгдежзик'[n % 10]}${'лмнопрстуф'[Math.floor(n / 10) % 10]}ами`,
    );
    const before = statisticsOf(encodeBefore('лес'));
    const asked = termsFor(analyzeQuery(long.join(' ')), before);
    expect(asked.words.every(({ term }) => long.includes(term))).toBe(true);
    expect(asked.words).toHaveLength(96);
    const { words } = termsFor(analyzeQuery('Какая страна самая большая из стран?'), before);
    expect(words.find(({ term }) => term === 'стран')).toMatchObject({ count: 1, weight: 1 });
  });

  it('is the same question where none of its words has such a stem', () => {
    const query = analyzeQuery('opening hours of the office 東京 2024');
    expect(query.unstemmed).toBeUndefined();
    expect(termsFor(query, statisticsOf(encodeBefore('x')))).toBe(query);
  });

  it('scores a chunk by the stem more than by the letters in common', () => {
    const [same, other] = [encode({ text: 'В домах нет света' }), encode({ text: 'В домне нет света' })];
    const statistics = statisticsOf(same, other);
    const scorer = new KeywordScorer(termsFor(analyzeQuery('дома'), statistics), statistics);
    expect(scorer.score(same)).toBeGreaterThan(2 * scorer.score(other));
  });

  it('leaves the n-grams of words without such a stem their weight', () => {
    const [persian] = analyzeQuery('پنجره').grams;
    const [russian] = analyzeQuery('домами').grams;
    expect([persian?.weight, russian?.weight]).toEqual([1, 0.5]);
  });

  it('marks no word of an English text by a stem of Turkish', () => {
    const kit = hashTerm('words', 'kit');
    expect(wordHashes('kitten', undefined)).not.toContain(kit);
  });
});
