import { describe, expect, it } from 'vitest';
import { UnigramTokenizer, type Vocabulary } from './unigram-tokenizer.js';

const SPECIAL = ['<unk>', '<s>', '</s>', '<a>', '<b>', '<c>'].map((piece) => [piece, 0] as const);
/** Ordered by likelihood; `ab` has lost its own score. */
const PIECES = [
  ['▁', -1],
  ['a', -2],
  ['b', -2.5],
  ['▁a', -3],
  ['ab', null],
  ['▁ab', -4],
  ['abc', -4.5],
  ['c', -6],
  ['😀', -7],
] as const;
const VOCABULARY: Vocabulary = [...SPECIAL, ...PIECES];

describe('UnigramTokenizer', () => {
  const piecesOf = (text: string): string[] =>
    new UnigramTokenizer(VOCABULARY).encode(text).map((id) => VOCABULARY[id]![0]);

  it('divides each word into its likeliest pieces', () => {
    expect(piecesOf('ab')).toEqual(['▁ab']);
    expect(piecesOf('abc')).toEqual(['▁', 'abc']);
    expect(piecesOf('aab a')).toEqual(['▁a', 'ab', '▁a']);
    expect(piecesOf('bc')).toEqual(['▁', 'b', 'c']);
  });

  it('takes what no piece represents for one unknown, up to the end of a word that begins like a piece', () => {
    expect(piecesOf('axyb')).toEqual(['▁a', '<unk>', 'b']);
    expect(piecesOf('abx')).toEqual(['▁ab', '<unk>']);
    expect(piecesOf('xyz')).toEqual(['▁', '<unk>']);
  });

  it('knows characters beyond the basic plane, and half ones', () => {
    expect(piecesOf('😀a')).toEqual(['▁', '😀', 'a']);
    expect(piecesOf('😁\ud83db')).toEqual(['▁', '<unk>', 'b']);
  });
});
