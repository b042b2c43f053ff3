import { describe, expect, it } from 'vitest';
import { jsonPieces, MadeList, piecesInTurns } from './json-pieces.js';

const LARGE = Array.from({ length: 1_000 }, (_, n) => ({ n, text: `"${n}" <\u2028>`, nothing: undefined, list: [n] }));

describe('JSON in pieces', () => {
  it.each([
    {},
    { a: 1, b: null, c: undefined, d: 'text', e: { f: [1, 2] }, g: [] },
    { none: undefined, list: [undefined, null, 1] },
    { at: new Date(0), lists: [LARGE, LARGE.slice(0, 32), LARGE.slice(0, 33)], more: LARGE.slice(0, 64) },
    { large: LARGE },
  ])('is that of JSON.stringify', async (value) => {
    expect([...jsonPieces(value)].join('')).toBe(JSON.stringify(value));
    const sent: Buffer[] = [];
    for await (const bytes of piecesInTurns(jsonPieces(value))) sent.push(bytes);
    expect(Buffer.concat(sent).toString('utf8')).toBe(JSON.stringify(value));
  });

  it('makes the items of a list while it is written, some at a time', () => {
    let made = 0;
    const make = ({ n }: { n: number }): { id: number } => {
      made += 1;
      return { id: n };
    };
    const pieces = jsonPieces({ large: new MadeList(LARGE, make), total: 1_000 });
    const before = Array.from({ length: 3 }, () => pieces.next().value);
    expect(made).toBe(64);
    expect([...before, ...pieces].join('')).toBe(JSON.stringify({ large: LARGE.map(make), total: 1_000 }));
  });

  it('makes no more than what is taken, and a part of a long answer at a time', async () => {
    let made = 0;
    const make = (item: object): object => {
      made += 1;
      return item;
    };
    const list = Array.from({ length: 200 }, () => LARGE).flat();
    const sent = piecesInTurns(jsonPieces({ list: new MadeList(list, make) }));
    const first = await sent.next();
    expect((first.value as Buffer).length).toBeLessThan(100_000);
    expect(made).toBeLessThan(2_000);
    await sent.return(undefined);
    expect(made).toBeLessThan(2_000);
  });
});
