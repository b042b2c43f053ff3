import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureGrounding, resolveCitations, verifyCitation } from './citations.js';

const TOWER = 'The tower was designed by an office in Paris. It was opened on 31 March 1889. It is 330 metres tall.';
const BRIDGE = '# Bridges\n\nThe bridge crosses the river. It was closed for repairs in 2019.';
const sources = [
  { number: 1, text: TOWER, start: 1_000 },
  { number: 2, text: BRIDGE, start: 50 },
];

describe('resolveCitations', () => {
  it('finds the statement before each marker and the sentence that supports it', () => {
    const { answer, citations, removedMarkers } = resolveCitations(
      'The tower opened in March 1889 [1]. It is 330 metres tall. [1] The bridge was closed in 2019.[2]',
      sources,
    );
    expect(removedMarkers).toBe(0);
    expect(citations.map((one) => answer.slice(one.answerStart, one.answerEnd))).toEqual([
      'The tower opened in March 1889',
      'It is 330 metres tall.',
      'The bridge was closed in 2019.',
    ]);
    expect(citations.map((one) => one.citedText)).toEqual([
      'It was opened on 31 March 1889.',
      'It is 330 metres tall.',
      'It was closed for repairs in 2019.',
    ]);
    expect(citations[0]).toMatchObject({
      marker: '[1]',
      number: 1,
      sourceStart: 1_000 + TOWER.indexOf('It was opened'),
    });
    expect(citations[1]?.supportScore).toBe(1);
  });

  it('gives each of several markers in a sentence its own part, and a group the same part', () => {
    const { answer, citations } = resolveCitations(
      'It is 330 metres tall [1], and the bridge was closed [2][1].',
      sources,
    );
    expect(citations.map((one) => answer.slice(one.answerStart, one.answerEnd))).toEqual([
      'It is 330 metres tall',
      'and the bridge was closed',
      'and the bridge was closed',
    ]);
  });

  it('removes markers that point nowhere and splits groups', () => {
    const result = resolveCitations(
      'Tall [7]. Closed [2, 9]; open 【1】 and [link](http://x) `a[1]` [3](http://y).',
      sources,
    );
    expect(result.answer).toBe('Tall. Closed [2]; open [1] and [link](http://x) `a[1]` [3](http://y).');
    expect(result.removedMarkers).toBe(2);
    expect(result.citations.map((one) => one.number)).toEqual([2, 1]);
  });

  it('cites Chinese and Thai by their characters', () => {
    const zh = '埃菲尔铁塔位于巴黎。铁塔于1889年3月31日开放。高度为330米。';
    const th =
      'หอไอเฟลตั้งอยู่ในกรุงปารีสประเทศฝรั่งเศสและเป็นสถานที่ท่องเที่ยวที่มีชื่อเสียงมากที่สุดแห่งหนึ่งของโลกในปัจจุบันนี้ เปิดให้เข้าชมในปี 1889';
    const { citations } = resolveCitations('铁塔在1889年开放。[1] หอไอเฟลอยู่ในปารีส [2]', [
      { number: 1, text: zh, start: 0 },
      { number: 2, text: th, start: 0 },
    ]);
    expect(citations[0]?.citedText).toBe('铁塔于1889年3月31日开放。');
    expect(citations[1]?.citedText).toContain('ปารีส');
    expect(citations[1]?.supportScore).toBeGreaterThan(0.4);
  });

  it('takes several neighbouring sentences when one alone does not support the statement', () => {
    const { citations } = resolveCitations('The tower was opened in 1889 and is 330 metres tall [1].', sources);
    expect(citations[0]?.citedText).toBe('It was opened on 31 March 1889. It is 330 metres tall.');
  });

  it('gives offsets that hold for any answer and source', () => {
    const word = fc.constantFrom(
      'tower',
      'opened',
      '1889',
      '铁塔开放。',
      '😀',
      'หอไอเฟล',
      'Dr.',
      'e.g.',
      '. ',
      '! ',
      '\n\n',
      '[1]',
      '[2]',
      '[9]',
      '[1, 9]',
    );
    const text = fc.array(word, { maxLength: 60, size: 'max' }).map((words) => words.join(' '));
    fc.assert(
      fc.property(text, text, text, fc.nat(1_000), (answer, one, two, start) => {
        const given = [one, two].map((source, i) => ({ number: i + 1, text: source, start: start * i }));
        const result = resolveCitations(answer, given);
        expect(result.answer).not.toContain('[9]');
        for (const citation of result.citations) {
          const source = given[citation.number - 1] as (typeof given)[0];
          if (source.text === '') continue;
          const [from, to] = [citation.sourceStart - source.start, citation.sourceEnd - source.start];
          expect(verifyCitation(citation.citedText, source.text, from, to)).toBe(true);
          expect(citation.answerStart).toBeLessThanOrEqual(citation.answerEnd);
          expect(citation.answerEnd).toBeLessThanOrEqual(result.answer.length);
          expect(citation.supportScore).toBeGreaterThanOrEqual(0);
          expect(citation.supportScore).toBeLessThanOrEqual(1);
        }
        expect(resolveCitations(result.answer, given).answer).toBe(result.answer);
      }),
      { numRuns: 300 },
    );
  });
});

describe('verifyCitation', () => {
  it('accepts only the exact text at the exact place', () => {
    expect(verifyCitation('It', TOWER, 46, 48)).toBe(true);
    expect(verifyCitation('It', TOWER, 45, 47)).toBe(false);
    expect(verifyCitation('it', TOWER, 46, 48)).toBe(false);
    expect(verifyCitation('', TOWER, 46, 46)).toBe(false);
    expect(verifyCitation('tall.', TOWER, TOWER.length - 5, TOWER.length + 1)).toBe(false);
    expect(verifyCitation('\ud83d', '😀', 0, 1)).toBe(false);
  });
});

describe('measureGrounding', () => {
  it('calls an answer of the sources’ sentences supported', () => {
    expect(measureGrounding('It is 330 metres tall. [1] The bridge crosses the river. [2]', sources)).toEqual({
      status: 'supported',
      score: 1,
      unsupportedSpans: [],
    });
  });

  it('points to the sentence that no source says, also when only its figure differs', () => {
    const answer = 'It is 330 metres tall [1]. Penguins live there happily.';
    const grounding = measureGrounding(answer, sources);
    expect(grounding.status).toBe('partial');
    expect(grounding.unsupportedSpans.map(({ start, end }) => answer.slice(start, end))).toEqual([
      'Penguins live there happily.',
    ]);
    expect(measureGrounding('It is 250 metres tall.', sources).status).toBe('unsupported');
    expect(measureGrounding('Yes.', sources)).toMatchObject({ status: 'unsupported', score: 0 });
  });
});
