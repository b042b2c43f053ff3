import { expect, it } from 'vitest';
import { countMoves, directionOf, movesOf } from './moved-places.js';

it('a passage rose, fell, stayed, came or went', () => {
  const moves = movesOf(['a', 'b', 'c', 'd'], ['b', 'a', 'c', 'e']);
  expect(moves.get('b')).toEqual({ left: 2, right: 1 });
  expect(Object.fromEntries([...moves].map(([id, move]) => [id, directionOf(move)]))).toEqual({
    a: 'fell',
    b: 'rose',
    c: 'same',
    d: 'gone',
    e: 'new',
  });
  expect(countMoves(moves)).toEqual({ rose: 1, fell: 1, same: 1, new: 1, gone: 1 });
});
