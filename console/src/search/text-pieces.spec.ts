import { describe, expect, it } from 'vitest';
import { hitsInMarkdown, hitsOf, MOST_HITS, piecesOf, runsOf, type Layers, type Stretch } from './text-pieces.js';

const NOTHING: Layers<Stretch> = { cited: undefined, findings: [], hits: [], hit: undefined, shared: undefined };

describe('pieces of a text', () => {
  it('are one where nothing lies over it, and none of nothing', () => {
    expect(piecesOf({ from: 3, to: 9 }, NOTHING)).toMatchObject([{ from: 3, to: 9, isCited: false, isShared: false }]);
    expect(piecesOf({ from: 3, to: 3 }, NOTHING)).toEqual([]);
  });

  it('end where something begins or ends, and join to the whole', () => {
    const hits = [
      { from: 0, to: 4 },
      { from: 12, to: 16 },
    ];
    const layers = {
      cited: { from: 5, to: 15 },
      findings: [{ from: 8, to: 10 }],
      hits,
      hit: hits[1],
      shared: { from: 14, to: 20 },
    };
    const pieces = piecesOf({ from: 2, to: 20 }, layers);
    expect(pieces.map(({ from, to }) => [from, to])).toEqual([
      [2, 4],
      [4, 5],
      [5, 8],
      [8, 10],
      [10, 12],
      [12, 14],
      [14, 15],
      [15, 16],
      [16, 20],
    ]);
    expect(pieces.filter(({ isCited }) => isCited).map(({ from }) => from)).toEqual([5, 8, 10, 12, 14]);
    expect(pieces.filter(({ finding }) => finding !== undefined).map(({ from }) => from)).toEqual([8]);
    expect(pieces.filter(({ isLookedAt }) => isLookedAt).map(({ from }) => from)).toEqual([12, 14, 15]);
    expect(pieces.filter(({ isShared }) => isShared).map(({ from }) => from)).toEqual([14, 15, 16]);
    expect(runsOf(pieces).map((run) => [run[0]!.from, run.at(-1)!.to])).toEqual([
      [2, 5],
      [5, 15],
      [15, 20],
    ]);
  });

  it('know nothing of what lies beside the stretch', () => {
    const layers = { ...NOTHING, cited: { from: 0, to: 2 }, hits: [{ from: 9, to: 12 }] };
    expect(piecesOf({ from: 2, to: 9 }, layers)).toMatchObject([{ from: 2, to: 9, isCited: false, hit: undefined }]);
  });
});

describe('a search within a text', () => {
  it('minds neither case nor the kind of white space, and takes signs as they are', () => {
    expect(hitsOf('The Lamp\n  is lit. The lamp is out.', 'the lamp is')).toEqual([
      { from: 0, to: 13 },
      { from: 19, to: 30 },
    ]);
    expect(hitsOf('a+b (c) [d] a.b', '(c)')).toEqual([{ from: 4, to: 7 }]);
    expect(hitsOf('a+b a.b aab', 'a.b')).toEqual([{ from: 4, to: 7 }]);
    expect(hitsOf('C:\\lamps', '\\')).toEqual([{ from: 2, to: 3 }]);
  });

  it('counts offsets as the service does, beyond the first plane too', () => {
    expect(hitsOf('🔦🔦 lamp', 'LAMP')).toEqual([{ from: 5, to: 9 }]);
    expect(hitsOf('İstanbul lamp', 'lamp')).toEqual([{ from: 9, to: 13 }]);
  });

  it('finds nothing for nothing, and ends', () => {
    expect(hitsOf('lamp', '  ')).toEqual([]);
    expect(hitsOf('a'.repeat(5000), 'a')).toHaveLength(MOST_HITS);
  });
});

describe('words within Markdown', () => {
  const text = 'The **team** answers in [the intranet](https://intranet.example/team).';

  it('are found across marks, at their places in the text', () => {
    const [hit, ...others] = hitsInMarkdown(text, 'team answers');
    expect(text.slice(hit!.from, hit!.to)).toBe('team** answers');
    expect(others).toEqual([]);
  });

  it('are not found in marks and in addresses of links', () => {
    expect(hitsInMarkdown(text, '**')).toEqual([]);
    expect(hitsInMarkdown(text, 'https')).toEqual([]);
  });
});
