import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyzeChunk } from './chunk-terms.js';
import { encodeChunk } from './encode-chunk.js';
import { decodeTerms, encodeTerms } from './encoded-terms.js';
import { STEMS_MARK } from './own-stems.js';
import { QUERY_TERM_LIMITS } from './query-parameters.js';
import { analyzeQuery, candidateTerms } from './query-terms.js';

const withoutMark = (words: readonly string[]): readonly string[] => words.filter((word) => word !== STEMS_MARK);
const wordsOf = (text: string): readonly string[] => withoutMark(analyzeChunk({ text }).words);

/** Text with what breaks naive analysers: any code unit, invisible characters, combining marks and identifiers. */
const hostileText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '\ud800',
        '\udc00',
        '\ufeff',
        '\u00ad',
        '\u200b',
        '\u0301',
        '\u0000',
        '𠀀',
        'İ',
        '-',
        '.',
        '§',
        '9',
        'aB',
        '东京',
        'ไทย',
      ),
      fc.constantFrom('a-b_c.d/1:2,3', 'x'.repeat(80), '字'.repeat(70), '한국어', '𐐀𐐁𐐂𐐃𐐄'),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

describe('analyzeChunk', () => {
  it('makes only well-formed, short terms without white space or control characters, of any text', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const { words, grams, title } = analyzeChunk({ text, title: text });
        for (const term of [...words, ...grams, ...title]) {
          expect(term.isWellFormed()).toBe(true);
          expect(term).toMatch(/^[^\s\p{Cc}]+$/u);
          expect(term.length).toBeLessThanOrEqual(64);
        }
      }),
    );
  });

  it('finds every term of a short text that is asked as a query', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const chunk = analyzeChunk({ text });
        const query = analyzeQuery(text);
        const words = new Set(chunk.words);
        const grams = new Set(chunk.grams);
        expect(query.words.filter(({ term }) => !words.has(term))).toEqual([]);
        expect(query.grams.filter(({ term }) => !grams.has(term))).toEqual([]);
      }),
    );
  });

  it.each(['\ufeff', '\u00ad', '\u200b', '\u200d', '\u2060', '\ud800', '\udfff', '\ufe0f'])(
    'does not let an invisible character split or change a word (%j)',
    (invisible) => {
      expect(wordsOf(`know${invisible}ledge base${invisible}`)).toEqual(wordsOf('knowledge base'));
      expect(wordsOf(`知${invisible}识`)).toEqual(wordsOf('知识'));
    },
  );

  it('finds composed and decomposed, wide and folded forms alike', () => {
    expect(wordsOf('e\u0301te\u0301')).toEqual(wordsOf('été'));
    expect(wordsOf('ＡＢＣ１２')).toEqual(wordsOf('abc12'));
    expect(wordsOf('été')).toEqual(expect.arrayContaining(['été', 'ete']));
    expect(wordsOf('Straße')).toEqual(expect.arrayContaining(['straße', 'strasse']));
    expect(wordsOf('ΟΔΟΣ')).toEqual(wordsOf('οδος'));
    expect(wordsOf('ёлка')).toContain('елка');
    expect(wordsOf('٢٠٢٤')).toEqual(['2024']);
  });

  it('puts the stem and the exact word side by side', () => {
    expect(wordsOf('Connections')).toEqual(['connect', 'connections']);
    expect(wordsOf("Prandtl's")).toEqual(['prandtl']);
  });

  it.each([
    ['parseHttpHeader', ['parsehttpheader', 'parse', 'http', 'header']],
    ['X-Request-ID', ['xrequestid', 'x', 'request', 'id']],
    ['x_request_id', ['xrequestid', 'x', 'request', 'id']],
    ['v2.19.5', ['v2.19.5', '2.19.5', 'v', '2', '19', '5']],
    ['§ 12a', ['§12a', '12a', '12', 'a']],
    ['AB-1234/C', ['ab1234c', 'ab', '1234', 'c']],
    ['HTTPServer2', ['httpserver2', 'http', 'server', '2']],
    ['PDFs', ['pdfs', 'pdf']],
    ['1,234,567.5', ['1234567.5', '567']],
    ['2024-01-15', ['2024-01-15', '2024', '01', '15']],
    ['C++', ['c++', 'c']],
    ['user@example.com', ['user', 'examplecom', 'example', 'com']],
  ])('finds %s whole and in parts', (text, expected) => {
    expect(wordsOf(`see ${text} here`)).toEqual(expect.arrayContaining(expected));
  });

  it('finds an identifier however its parts are joined', () => {
    for (const variant of ['parseHttpHeader', 'parse_http_header', 'parse-http-header', 'ParseHTTPHeader']) {
      expect(wordsOf(variant)).toContain('parsehttpheader');
    }
  });

  it('cuts scripts without spaces into overlapping pieces', () => {
    expect(wordsOf('東京都')).toEqual(['東', '京', '都', '東京', '京都']);
    expect(wordsOf('한국어는')).toEqual(['한국', '국어', '어는', '한국어는']);
    expect(wordsOf('ไทย')).toEqual(['ไทย']);
  });

  it('joins words at their borders in the n-grams and never across another script', () => {
    expect(analyzeChunk({ text: 'ab cd, 1' }).grams).toEqual(['abcd', 'bcd1']);
    expect(analyzeChunk({ text: 'ab 東 cd' }).grams).toEqual([]);
  });

  it('keeps the title and the headings out of the text', () => {
    const { words, title } = analyzeChunk({ text: 'body', title: 'annual_report-2024', headings: ['Risk Factors'] });
    expect(withoutMark(words)).toEqual(['bodi', 'body']);
    expect(title).toEqual(expect.arrayContaining(['annual', 'report', '2024', 'risk', 'factor']));
  });

  it('is encoded without strings to the very terms, of which the n-grams are made from the text again', () => {
    fc.assert(
      fc.property(hostileText, hostileText, fc.array(hostileText, { maxLength: 3 }), (text, title, headings) => {
        const input = { text: text.repeat(40), title, headings };
        const { terms, bytes } = encodeChunk(input);
        const expected = decodeTerms(encodeTerms(analyzeChunk(input)));
        expect(terms).toEqual(expected);
        const { words, grams, title: titles } = decodeTerms(bytes, input.text);
        expect({ words, grams, title: titles }).toEqual(expected);
      }),
    );
  });
});

describe('analyzeQuery', () => {
  const countsOf = (query: string): Record<string, number> =>
    Object.fromEntries(analyzeQuery(query).words.map(({ term, count }) => [term, count]));

  it('names each term once, with how often the query says it', () => {
    expect(countsOf('wind tunnel wind Wind tunnels')).toEqual({ wind: 3, tunnel: 2, tunnels: 1 });
    expect(candidateTerms(analyzeQuery('wind tunnel wind')).words).toEqual(['wind', 'tunnel']);
  });

  it('counts words of scripts without spaces, and the characters that they share once', () => {
    expect(countsOf('東京、東京、東海')).toEqual({ 東: 1, 京: 1, 東京: 2, 海: 1, 東海: 1 });
    expect(countsOf('水、水')).toEqual({ 水: 2 });
  });

  it('stays below its limits for the longest query and keeps the identifier in it', () => {
    const prose = Array.from(
      { length: 700 },
      (_, index) => `w${String.fromCharCode(97 + (index % 26))}${'q'.repeat(index % 7)}r`,
    ).join(' ');
    const long = `${Array.from({ length: 300 }, (_, i) => `word${'abcdefghij'[i % 10]}${'klmnopqrst'[Math.floor(i / 10) % 10]}${'uvw'[Math.floor(i / 100)]}`).join(' ')} ${prose} ERR-90210`;
    const query = analyzeQuery(long);
    for (const leg of ['words', 'grams', 'title'] as const) {
      expect(query[leg].length).toBeLessThanOrEqual(QUERY_TERM_LIMITS[leg]);
    }
    expect(query.words).toHaveLength(QUERY_TERM_LIMITS.words);
    expect(query.words.map(({ term }) => term)).toContain('err90210');
    const asked = candidateTerms(query);
    expect(asked.words.length + asked.grams.length + asked.title.length).toBeLessThan(1024);
  });

  it('weighs function words of the language down and asks for them last', () => {
    const query = analyzeQuery('What is the capital of the region?');
    const weight = (term: string): number => query.words.find((entry) => entry.term === term)!.weight;
    expect(weight('the')).toBeLessThan(weight('capit'));
    expect(candidateTerms(query).words.slice(0, 4)).toEqual(expect.arrayContaining(['capit', 'capital', 'region']));
    expect(query.units.map(({ text }) => text)).toEqual(['capital', 'region']);
  });

  it.each([
    ['Wie viele Punkte gab die Mannschaft ab?', ['punkte', 'mannschaft']],
    ['Quelle est la capitale de la région ?', ['capitale', 'region']],
    ['¿Cuál es la capital de la región?', ['capital', 'region']],
    ['Сколько очков уступила защита?', ['очков', 'уступила', 'защита']],
    ['中国的首都是哪里', ['中国', '首都']],
  ])('knows the content words of %s', (query, expected) => {
    expect(analyzeQuery(query).units.map(({ text }) => text)).toEqual(expected);
  });

  it('does not take the function words of another language for such', () => {
    expect(analyzeQuery('war crimes').units.map(({ text }) => text)).toEqual(['war', 'crimes']);
  });

  it('still asks for something when there are only function words', () => {
    expect(analyzeQuery('to be or not to be').units.length).toBeGreaterThan(0);
    expect(analyzeQuery('?!')).toEqual({ words: [], grams: [], title: [], units: [] });
  });
});
