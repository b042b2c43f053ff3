import { describe, expect, it } from 'vitest';
import { readQuotations, toldBefore } from './told-before.js';

describe('what an earlier answer quotes', () => {
  it('is a whole quotation, and no part of one', () => {
    const told = readQuotations(['No. 7 is closed. [1] The shop is\n open. [2][3]']);
    expect([...told]).toEqual(['No. 7 is closed.', 'The shop is open.']);
    expect(told.has('No.')).toBe(false);
  });

  it('holds neither what the answerer added nor what was cut off', () => {
    const answer =
      'Fee is 9. [1] This replaces the older statement (2024-01-02): Fee is 5. [2] I found no answer to “x”.';
    expect([...readQuotations([answer])]).toEqual(['Fee is 9.', 'Fee is 5.']);
    expect([...readQuotations(['Fee is 9. [1] The shop is op'])]).toEqual(['Fee is 9.']);
  });

  it('is read of the last three answers alone', () => {
    const answers = ['A one. [1]', 'B two. [1]', 'C three. [1]', 'D four. [1]'];
    expect([...readQuotations(answers)]).toEqual(['B two.', 'C three.', 'D four.']);
  });
});

describe('what was told before a question', () => {
  const turn = (question: string, answer: string): { role: string; content: string }[] => [
    { role: 'user', content: question },
    { role: 'assistant', content: answer },
  ];

  it('is every answer but those to the same question', () => {
    const history = [...turn('When does he retire?', 'On 31 August. [1]'), ...turn('Who follows him?', 'Leonie. [1]')];
    expect(toldBefore(history, 'Where?')).toEqual(['On 31 August. [1]', 'Leonie. [1]']);
    expect(toldBefore(history, ' who follows him ')).toEqual(['On 31 August. [1]']);
  });
});
