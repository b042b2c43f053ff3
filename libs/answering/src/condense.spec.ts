import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { condenseQuestion, MAX_CONDENSED_LENGTH } from './condense.js';

const ask = (earlier: string, question: string): string =>
  condenseQuestion(
    [
      { role: 'user', content: earlier },
      { role: 'assistant', content: 'Zanzibar.' },
    ],
    question,
  );

describe('condenseQuestion', () => {
  it.each([
    [
      'What is the warranty period of the X200 printer?',
      'And how long does it take to repair?',
      ['warranty', 'X200', 'printer'],
    ],
    ['Wie hoch ist die Kündigungsfrist im Mietvertrag?', 'Und wo steht das?', ['Kündigungsfrist', 'Mietvertrag']],
    ['Wer hat den Eiffelturm gebaut?', 'Wann wurde er eröffnet?', ['Eiffelturm']],
    ['Qui a construit la tour Eiffel ?', 'Combien mesure-t-elle ?', ['tour', 'Eiffel']],
    ['¿Quién construyó la Sagrada Familia?', '¿Y cuándo?', ['Sagrada', 'Familia']],
    ['Кто построил Эйфелеву башню?', 'Когда она была открыта?', ['Эйфелеву', 'башню']],
    ['长城有多长？', '它是什么时候建的？', ['长城']],
    ['What does the refund policy say?', 'Why?', ['refund', 'policy']],
    ['What does the refund policy say?', 'When is the deadline?', ['refund', 'policy']],
    ['What does the refund policy say?', 'How much for children?', ['refund', 'policy']],
    ['What does the refund policy say?', 'Is this new this year?', ['refund', 'policy']],
    ['Wie hoch ist die Kündigungsfrist im Mietvertrag?', 'Gilt dieser auch dieses Jahr?', ['Mietvertrag']],
  ])('appends the matter of “%s” to “%s”', (earlier, question, words) => {
    const condensed = ask(earlier, question);
    expect(condensed.startsWith(question)).toBe(true);
    for (const word of words) expect(condensed).toContain(word);
    expect(condensed).not.toContain('Zanzibar');
  });

  it.each([
    'Which ports does the message broker open by default?',
    'Welche Frist gilt für Widersprüche gegen Bescheide?',
    'Können Sie die Öffnungszeiten der Bibliothek nennen?',
    'Y a-t-il une taxe sur les livres importés ?',
    'What is Kubernetes?',
    '什么是机器学习？',
    'Сколько стоит подписка на журнал?',
    'how much is toner',
    'What does parking cost?',
    'Where is reception?',
    'Was kostet Toner?',
    'When is the Christmas party this year?',
    'Who is on call these weekends?',
    'Wann ist in diesem Jahr die Weihnachtsfeier?',
    'Wer hat diese Woche Bereitschaft?',
    'Quando chiude quest’anno la mensa aziendale?',
    'Wanneer is dit jaar het zomerfeest?',
    'Когда в этом году будет собрание?',
    '这个月什么时候开会？',
  ])('leaves the independent question “%s” as it is', (question) => {
    expect(ask('How tall is the Eiffel tower?', question)).toBe(question);
  });

  it('reaches back over a follow-up to the question that names the matter', () => {
    const history = ['How do I reset the Falcon router?', 'Does it lose its settings?'].map((content) => ({
      role: 'user',
      content,
    }));
    expect(condenseQuestion(history, 'How long does it take?')).toMatch(/settings.*Falcon/);
  });

  it('returns the question when there is no history, and never makes it longer than the limit', () => {
    expect(condenseQuestion([], 'Why?')).toBe('Why?');
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 2_000, size: 'max' }), { maxLength: 4 }),
        fc.string(),
        (turns, question) => {
          const history = turns.map((content) => ({ role: 'user', content }));
          const condensed = condenseQuestion(history, question);
          expect(condensed.length).toBeLessThanOrEqual(Math.max(MAX_CONDENSED_LENGTH, question.length));
          expect(condensed.startsWith(question.trim()) || condensed === question).toBe(true);
        },
      ),
    );
  });
});
