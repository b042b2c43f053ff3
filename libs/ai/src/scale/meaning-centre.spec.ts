import { describe, expect, it } from 'vitest';
import { centreOf, Likeness, type EmbeddedPairs } from './meaning-centre.js';

/** Vectors that share a great part, as those of a model do that was trained with a low temperature; only the rest says something. */
const COMMON = { question: [10, 0, 0, 0, 0, 0], passage: [9, 4, 0, 0, 0, 0] };
const SUBJECTS = [
  [0, 0, 1, 0, 0, 0],
  [0, 0, 0, 1, 0, 0],
  [0, 0, 0, 0, 1, 0],
];
const sum = (one: ArrayLike<number>, other: readonly number[]): Float32Array =>
  Float32Array.from(one, (value, at) => value + other[at]!);
const pairs = (foreign: readonly number[] = [0, 0, 0, 0, 0, 0]): EmbeddedPairs => ({
  questions: SUBJECTS.map((subject) => sum(COMMON.question, subject)),
  passages: SUBJECTS.map((subject) => sum(sum(COMMON.passage, subject), foreign)),
});
const FOREIGN = [0, 0, 0, 0, 0, 3];

describe('Likeness', () => {
  it('tells what a text says from what all texts have in common', () => {
    const centre = centreOf(new Map([['en', pairs()]]), {});
    const likeness = new Likeness(centre, undefined, sum(COMMON.question, SUBJECTS[0]!), 'en');
    const [right, ...others] = SUBJECTS.map((subject) => likeness.of(sum(COMMON.passage, subject), 'en'));
    for (const other of others) expect(right! - other).toBeGreaterThan(2);
  });

  it('moves a passage in another language by half of what parts the two', () => {
    const centre = centreOf(
      new Map([
        ['en', pairs()],
        ['xx', pairs(FOREIGN)],
      ]),
      {},
    );
    const likeness = new Likeness(centre, undefined, sum(COMMON.question, SUBJECTS[0]!), 'en');
    const foreign = sum(sum(COMMON.passage, SUBJECTS[0]!), FOREIGN);
    expect(likeness.of(foreign, 'xx')).toBeGreaterThan(likeness.of(foreign, 'en'));
    expect(likeness.of(foreign, 'xx')).toBeGreaterThan(likeness.of(sum(COMMON.passage, SUBJECTS[1]!), 'en'));
  });

  it('looks at the part that is meaning, of languages that the model knows, and finds nothing in a text without it', () => {
    const spelled = ({ questions, passages }: EmbeddedPairs): EmbeddedPairs => {
      const before = (vectors: readonly Float32Array[]): Float32Array[] =>
        vectors.map((vector, at) => Float32Array.from([at, 1 - at, ...vector]));
      return { questions: before(questions), passages: before(passages) };
    };
    const part = { meaningFrom: 2, knows: ['en'] };
    const embedded = new Map([
      ['en', spelled(pairs())],
      ['xx', spelled(pairs(FOREIGN))],
    ]);
    const centre = centreOf(embedded, part);
    expect(Object.keys(centre.levels)).toEqual(['en']);
    const question = Float32Array.from([0, 0, ...sum(COMMON.question, SUBJECTS[0]!)]);
    const plain = new Likeness(
      centreOf(new Map([['en', pairs()]]), {}),
      undefined,
      sum(COMMON.question, SUBJECTS[0]!),
      'en',
    );
    const likeness = new Likeness(centre, 2, question, 'en');
    const passage = sum(COMMON.passage, SUBJECTS[0]!);
    expect(likeness.of(Float32Array.from([7, 7, ...passage]), 'en')).toBeCloseTo(plain.of(passage, 'en'));
    expect(likeness.of(Float32Array.from([7, 7, 0, 0, 0, 0, 0, 0]), 'en')).toBe(0);
  });
});
