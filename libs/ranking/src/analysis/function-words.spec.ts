import { describe, expect, it } from 'vitest';
import { functionWordsFor } from './function-words.js';

describe('functionWordsFor', () => {
  it.each([
    ['date du gala', 'du'],
    ['preis des kurses', 'des'],
    ['horario del museo', 'del'],
    ['wann ist der aufzug außer betrieb', 'außer'],
    ['wie viel haben wir bezahlt', 'wir'],
    ['how much is the fee', 'the'],
  ])('knows those of a few keywords: %s', (question, word) => {
    expect(functionWordsFor(question.split(' ')).has(word)).toBe(true);
  });

  it.each(['car park', 'comment form', 'die cast model', 'reduction on entry'])(
    'takes no English word for one of another language: %s',
    (question) => {
      const [first] = question.split(' ');
      expect(functionWordsFor(question.split(' ')).has(first!)).toBe(false);
    },
  );
});
