import { describe, expect, it } from 'vitest';
import { numbersOf, piecesOf, plainOf } from './answer-pieces.js';

const turnOf = (text: string, spans: readonly string[] = []): Parameters<typeof piecesOf>[0] => ({
  text,
  citations: [{ marker: '[1]' }],
  grounding: {
    unsupported_spans: spans.map((one) => {
      const start = text.indexOf(one);
      return { start, end: start + one.length, text: one };
    }),
  },
});
const texts = (text: string): string[] => piecesOf(turnOf(text)).map((piece) => piece.text);

describe('an answer in pieces', () => {
  it('has markers of citations, and leaves other brackets text', () => {
    const pieces = piecesOf(turnOf('Six months.[1] Not [2] here.'));
    expect(pieces.map(({ text, marker }) => marker ?? text)).toEqual(['Six months.', '[1]', ' Not [2] here.']);
  });

  it('shows what the service has escaped as it was meant', () => {
    expect(texts('a\\_b \\*c\\* \\[1] \\<img src=x onerror=alert(1)>').join('')).toBe(
      'a_b *c* [1] <img src=x onerror=alert(1)>',
    );
  });

  it('leaves text that only looks like markup', () => {
    expect(texts('5 * 3 * 2 and\n* one\n* two, snake_case_name').join('')).toBe(
      '5 * 3 * 2 and\n* one\n* two, snake_case_name',
    );
  });

  it('has bold text, headings and code, which holds what it holds', () => {
    const pieces = piecesOf(turnOf('# Terms\nIn **six months** run `a \\* **b**`.'));
    expect(pieces.filter(({ isStrong }) => isStrong).map(({ text }) => text)).toEqual(['Terms', 'six months']);
    expect(pieces.filter(({ isCode }) => isCode).map(({ text }) => text)).toEqual(['a \\* **b**']);
    expect(pieces.map(({ text }) => text).join('')).toBe('Terms\nIn six months run a \\* **b**.');
  });

  it('links what leads to the web, and nothing else', () => {
    const linked = (text: string): (string | undefined)[] =>
      piecesOf(turnOf(text)).flatMap(({ href }) => (href === undefined ? [] : [href]));
    expect(linked('See [the page](https://example.com/a) or <https://example.com/b>.')).toEqual([
      'https://example.com/a',
      'https://example.com/b',
    ]);
    expect(linked('[a](javascript:alert(1)) [b](data:text/html,x) <javascript:alert(1)> [c](//example.com)')).toEqual(
      [],
    );
  });

  it('marks what no source supports, over several pieces and no further', () => {
    const pieces = piecesOf(turnOf('Sure.[1] Most **accept** e\\-mail. End.', ['Most **accept** e\\-mail.']));
    expect(
      pieces
        .filter(({ isUnproven }) => isUnproven)
        .map(({ text }) => text)
        .join(''),
    ).toBe('Most accept e-mail.');
  });

  it('shows an address that is no link as text, not as code', () => {
    const text =
      'Ask \\<`lang@example.org`> or see `www.example.org/a` and `https://example.org`, not `npm run` or `a@b`.';
    const pieces = piecesOf(turnOf(text));
    expect(pieces.filter(({ isCode }) => isCode).map(({ text: code }) => code)).toEqual(['npm run', 'a@b']);
    expect(pieces.map(({ text: words }) => words).join('')).toContain(
      'Ask <lang@example.org> or see www.example.org/a and',
    );
  });

  it('numbers its sources in the order in which the text first cites them, then the others', () => {
    const of = (...numbers: number[]) => numbers.map((number) => ({ marker: `[${number}]` }));
    const turn = { text: 'One.[5] Two.[2][5] `[1]` Three.[7]', citations: of(2, 5, 7), sources: of(1, 2, 5, 7) };
    expect([...numbersOf(turn)]).toEqual([
      ['[5]', 1],
      ['[2]', 2],
      ['[7]', 3],
      ['[1]', 4],
    ]);
    expect(plainOf(turn)).toBe('One.[1] Two.[2][1] [1] Three.[3]');
    // JSON has no markers in its text.
    expect([...numbersOf({ text: '{"a":1}', citations: of(3), sources: of(1, 3) }).keys()]).toEqual(['[3]', '[1]']);
  });

  it('has its numbers while it comes, before anything is said of its citations', () => {
    const sources = [{ marker: '[1]' }, { marker: '[4]' }];
    const markersOf = (state: string) =>
      piecesOf({ text: 'One.[4] Two [9]', citations: [], sources, state }).flatMap(({ marker }) => marker ?? []);
    expect(markersOf('coming')).toEqual(['[4]']);
    expect(markersOf('stopped')).toEqual([]);
  });

  it('is copied without its markup, with its markers', () => {
    expect(plainOf(turnOf('**Six** months\\*.[1]'))).toBe('Six months*.[1]');
  });
});
