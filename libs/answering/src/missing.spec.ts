import { describe, expect, it } from 'vitest';
import { TermStatistics } from '#libs/ranking';
import { findMissing, type Missing } from './missing.js';
import { profileQuestion } from './question-profile.js';

const DESK = 'The lost property desk in Port Askerne is open from 8 to 18 and keeps what was found for three months.';
const missing = (question: string, texts: readonly string[], isNear?: boolean): Missing =>
  findMissing(
    question,
    profileQuestion(question, new TermStatistics()),
    texts.map((text) => ({ text })),
    isNear,
  );

describe('what passages lack to answer a question', () => {
  it('is everything where there are none, or none is alike', () => {
    expect(missing('When is the canteen open?', []).kind).toBe('nothing_alike');
    expect(missing('Which composer wrote Carmen?', [DESK])).toEqual({
      kind: 'nothing_alike',
      words: ['Carmen', 'composer', 'wrote'],
    });
  });

  it('is what the question names, where the nearest is about another thing', () => {
    expect(missing('When is the lost property desk in Holmsay open?', ['Dogs pay half.', DESK])).toEqual({
      kind: 'another_thing',
      words: ['Holmsay'],
    });
    expect(missing('When is the lost property desk in Saint Brannoc open?', [DESK]).words).toEqual(['Saint Brannoc']);
    expect(missing('What did the lost property desk keep in 2019?', [DESK]).words[0]).toBe('2019');
  });

  it('is the one of several that it asks about', () => {
    const pay = 'Apprentices earn 900 euros in the first year and 1,100 euros in the third year.';
    expect(missing('What do apprentices earn in the second year?', [pay]).kind).toBe('another_thing');
  });

  it('is no name where only common words are lacking', () => {
    expect(missing('Does the lost property desk send things by post?', [DESK]).kind).toBe('too_weak');
    expect(missing('Where do I get my umbrella back?', [DESK], true).kind).toBe('too_weak');
  });

  it('is written as the question writes it, in scripts without spaces too', () => {
    const { kind, words } = missing('雾岛的失物招领处几点开门？', ['失物招领处每天八点开门，十八点关门。']);
    expect(kind).not.toBe('nothing_alike');
    expect(words.join('')).toContain('雾岛');
  });
});
