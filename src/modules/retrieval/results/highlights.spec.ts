import { describe, expect, it } from 'vitest';
import { analyzeQuery } from '#libs/ranking';
import { HighlightMarker } from './highlights.js';

const mark = (query: string, text: string): { sentence: string; words: string[] }[] =>
  new HighlightMarker(analyzeQuery(query)).mark(text).map(({ start, end, matches }) => ({
    sentence: text.slice(start, end),
    words: matches.map((match) => text.slice(match.start, match.end)),
  }));

describe('HighlightMarker', () => {
  it('marks inflected forms, in any case, and no function words', () => {
    expect(mark('How are the pumps serviced?', 'The weather is fine. The Pump needs a service. How nice.')).toEqual([
      { sentence: 'The Pump needs a service.', words: ['Pump', 'service'] },
    ]);
  });

  it('gives the three sentences that hold most of the query, in the order of the text', () => {
    const text = 'One pump runs. The pump has a valve. Nothing here. Close that valve. Pump, valve and seal are one.';
    expect(mark('pump valve seal', text).map(({ sentence }) => sentence)).toEqual([
      'One pump runs.',
      'The pump has a valve.',
      'Pump, valve and seal are one.',
    ]);
  });

  it('marks Chinese words within a run of characters', () => {
    const [marked] = mark('合同期限', '公司简介。本合同期限为三年。');
    expect(marked).toEqual({ sentence: '本合同期限为三年。', words: ['合同期限'] });
  });

  it('marks Thai words', () => {
    const text = 'สัญญาเช่ามีอายุสามปี';
    const [marked] = mark('สัญญาเช่า', text);
    expect(marked?.words.join('')).toContain('สัญญาเช่า');
  });

  it('counts in UTF-16 code units behind characters outside the basic plane', () => {
    const text = '😀😀 pump';
    const [first] = new HighlightMarker(analyzeQuery('pump')).mark(text);
    expect(first!.matches).toEqual([{ start: 5, end: 9 }]);
  });

  it('marks words that digits, accents and other scripts touch', () => {
    expect(mark('pump café B2B naïve', 'このpumpは, cafés, a B2B line, naïve, e\u0301pump.')).toEqual([
      { sentence: 'このpumpは, cafés, a B2B line, naïve, e\u0301pump.', words: ['pump', 'cafés', 'B2B', 'naïve'] },
    ]);
  });

  it('marks nothing where nothing matches, nor for a query without words', () => {
    expect(mark('pump', 'Nothing of the kind.')).toEqual([]);
    expect(mark('?!', 'Nothing of the kind.')).toEqual([]);
  });
});
