import { describe, expect, it } from 'vitest';
import { questionKeyOf } from './question-outcomes.repository.js';

describe('the key of a question', () => {
  it('is the same for what differs in case, white space and marks at the ends', () => {
    const key = questionKeyOf('How long is the notice period?');
    for (const same of [
      'how long is the  notice period',
      '¿How long is\nthe notice period ?!',
      ' HOW LONG IS THE NOTICE PERIOD.',
    ])
      expect(questionKeyOf(same), same).toBe(key);
  });

  it('is another one for other words, numbers and marks within', () => {
    const key = questionKeyOf('Is part 1.2 in stock?');
    for (const other of ['Is part 12 in stock?', 'Is part 1.3 in stock?', 'Is part in stock?'])
      expect(questionKeyOf(other), other).not.toBe(key);
  });

  it('distinguishes texts that consist only of punctuation', () => {
    expect(questionKeyOf('???')).not.toBe(questionKeyOf('!!!'));
  });
});
