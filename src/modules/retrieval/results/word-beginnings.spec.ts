import { describe, expect, it } from 'vitest';
import { wordHashes } from '#libs/ranking';
import { WordBeginnings } from './word-beginnings.js';

const ROOTS =
  'a e i o u y as is us be by die dye lie tie vie ski sky cry dry shy yes yoke yield eye iron ionic hop hope run gas ice iced ad aid aim ale eat ear earn oil use able over under general generic university universe communicate arsenic succeed proceed exceed inning outing canning herring early only idle ugly gentle sing singly news howe atlas cosmos bias andes connect relate rational digit operate feudal decisive hopeful good adopt effect bomb rate control roll abyss puzzle quiz';
const ENDINGS = [
  '',
  's',
  'es',
  'ed',
  'ing',
  'er',
  'ly',
  'y',
  'ies',
  'ied',
  'ying',
  'ation',
  'al',
  'ness',
  'ment',
  "'s",
];

const words = ROOTS.split(' ')
  .flatMap((root) => ENDINGS.map((ending) => root + ending))
  .flatMap((word) => [word, word[0]!.toUpperCase() + word.slice(1), word.toUpperCase()])
  .concat('naïve', 'éclair', 'Straße', 'fooBar', 'FooBar42', 'B2B', 'x', 'ﬁre');

describe('WordBeginnings', () => {
  it('rules out no word that shares a term', () => {
    const sharing = new Map<number, string[]>();
    for (const word of words)
      for (const hash of wordHashes(word, undefined)) sharing.set(hash, [...(sharing.get(hash) ?? []), word]);
    let pairs = 0;
    for (const group of sharing.values())
      for (const one of group) {
        const beginnings = new WordBeginnings([one]);
        for (const other of group) {
          pairs += 1;
          expect(beginnings.mayMatch(other), `${one} and ${other}`).toBe(true);
        }
      }
    expect(pairs).toBeGreaterThan(5_000);
  });

  it('rules out most others', () => {
    const beginnings = new WordBeginnings(['connect', 'relate', 'operate', 'decisive']);
    const plain = words.filter((word) => /^[a-z]{3,}$/.test(word));
    const left = plain.filter((word) => beginnings.mayMatch(word));
    expect(left.length).toBeLessThan(plain.length / 4);
  });
});
