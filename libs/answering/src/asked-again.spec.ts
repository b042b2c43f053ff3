import { describe, expect, it } from 'vitest';
import { askAgain } from './asked-again.js';
import { condenseQuestion } from './condense.js';

describe('a follow-up that asks the same of another one', () => {
  it.each([
    [
      'and the most expensive?',
      'Which boat is the cheapest to rent for a day?',
      'Which boat is the most expensive to rent for a day?',
    ],
    ['And the longest one?', 'What is the shortest trail?', 'What is the longest trail?'],
    ['und am teuersten?', 'Welches Boot ist am billigsten?', 'Welches Boot ist am teuersten?'],
    ['Und der größte?', 'Welcher ist der kleinste See?', 'Welcher ist der größte See?'],
    ['et le plus cher ?', 'Quel est le bateau le moins cher ?', 'Quel est le bateau le plus cher ?'],
    ['And the year before?', 'How many boats were rented in 2025?', 'How many boats were rented in 2024?'],
    ['Und im Vorjahr?', 'Wie viele Boote wurden 2025 vermietet?', 'Wie viele Boote wurden 2024 vermietet?'],
  ])('%s', (question, before, again) => {
    expect(askAgain(question, before)).toBe(again);
    expect(condenseQuestion([{ role: 'user', content: before }], question)).toBe(again);
  });

  it.each([
    ['and the most expensive?', 'What does a boat cost?'],
    ['and the guest?', 'Which boat is the cheapest?'],
    ['and the most expensive boat with sails?', 'Which boat is the cheapest?'],
    ['And the year before?', 'Were more boats rented in 2024 than in 2025?'],
    ['And for children?', 'How many boats were rented in 2025?'],
  ])('is none: %s', (question, before) => {
    expect(askAgain(question, before)).toBeUndefined();
  });

  it('takes the question before as it was completed', () => {
    const history = ['Which boat is the cheapest?', 'and the most expensive?'].map((content) => ({
      role: 'user',
      content,
    }));
    expect(condenseQuestion(history, 'and the longest?')).toBe('Which boat is the longest?');
  });
});
