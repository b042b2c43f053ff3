import { finish } from '#libs/common';
import { describe, expect, it } from 'vitest';
import { lacksPart, noteOfPart, withoutNotes } from './answerer-notes.js';
import { answerPartsSteps, partsOfQuestion } from './question-parts.js';

describe('the questions of a message', () => {
  it.each([
    ['When does the canteen open and what does lunch cost?', ['When does the canteen open', 'what does lunch cost?']],
    ['When does the canteen open? What does lunch cost?', ['When does the canteen open?', 'What does lunch cost?']],
    ['Is the sauna open today, and how much is it?', ['Is the sauna open today', 'how much is it?']],
    [
      'Who repairs the lift, where is its switch and since when is it out of order?',
      ['Who repairs the lift, where is its switch', 'since when is it out of order?'],
    ],
    ['Wann öffnet die Mensa und was kostet das Essen?', ['Wann öffnet die Mensa', 'was kostet das Essen?']],
    ['Quand ouvre la cantine et combien coûte le repas ?', ['Quand ouvre la cantine', 'combien coûte le repas ?']],
    ['¿Cuándo abre la cantina y cuánto cuesta el menú?', ['¿Cuándo abre la cantina', 'cuánto cuesta el menú?']],
    ['食堂几点开门？午饭多少钱？', ['食堂几点开门？', '午饭多少钱？']],
    [
      'I start on Monday. Where do I park? What is the code? Thanks!',
      ['I start on Monday. Where do I park?', 'What is the code? Thanks!'],
    ],
  ])('%s', (message, parts) => {
    expect(partsOfQuestion(message)).toEqual(parts);
  });

  it.each([
    'When and where does the choir meet?',
    'What does lunch cost on Monday and Tuesday?',
    'How do I find out when and by whom it was signed?',
    'My pass is lost and the gate is shut, what now?',
    'Who and what are you?',
    'Wann und wo trifft sich der Chor?',
    'A? B? C? D? E?',
    'Which bridge was opened in 1901 and was closed in 1950?',
    'I was ill last week and when must I hand in the certificate?',
    'Quelle est la salle qui est au rez-de-chaussée et qui a un projecteur ?',
    'What happens when the alarm rings and when the door is open?',
    'Hi, can you help me? When does the canteen open?',
    'Hallo, können Sie mir helfen? Wann öffnet die Mensa?',
    'What does https://wiki.example/page?id=5 say?',
    'What does the sign "Why wait?" mean?',
    `${'how is it and '.repeat(5_000)}when?`,
    `a${' '.repeat(90_000)}b? And when?`,
  ])('asks one thing: %s', (message) => {
    expect(partsOfQuestion(message)).toEqual([message]);
  });
});

describe('the answer to several questions', () => {
  const opens = { number: 1, text: 'The canteen opens at 11:30. It is on the second floor.', score: 1 };
  const costs = { number: 2, text: 'Lunch costs 6.40 euros. Soup is free on Fridays.', score: 1 };
  const [first, second] = ['When does the canteen open', 'what does lunch cost?'];
  const ask = (...sources: (readonly (typeof opens)[])[]): string | undefined =>
    finish(
      answerPartsSteps([
        { question: first, asked: first, sources: sources[0]! },
        { question: second, asked: second, sources: sources[1]! },
      ]),
    )?.answer;

  it('has a sentence for each', () => {
    expect(ask([opens], [costs])).toBe('The canteen opens at 11:30. [1] Lunch costs 6.40 euros. [2]');
  });

  it('says which of them has no answer', () => {
    expect(ask([opens], [])).toBe('The canteen opens at 11:30. [1] I found no answer to “what does lunch cost”.');
    expect(ask([], [costs])).toBe('Lunch costs 6.40 euros. [2] I found no answer to “When does the canteen open”.');
  });

  it('says the same sentence once', () => {
    const both = { number: 1, text: 'The canteen opens at 11:30 and lunch costs 6.40 euros.', score: 1 };
    expect(ask([both], [both])).toBe(`${both.text} [1]`);
  });

  it('says a sentence once that is one of several which answer another part', () => {
    const text = 'The front is painted in August. Rettig has the order for 38,750 euros.';
    const one = { number: 1, text, score: 1, likeness: [2, 1.9] };
    const other = { ...one, likeness: [0.2, 2] };
    expect(ask([one], [other])).toBe('The front is painted in August. [1] Rettig has the order for 38,750 euros. [1]');
    expect(ask([other], [one])?.match(/Rettig/g)).toHaveLength(1);
  });

  it('is none where none has an answer', () => {
    expect(ask([], [])).toBeUndefined();
  });
});

describe('the note of a part without an answer', () => {
  it.each([
    'what does lunch cost?',
    'was kostet das Mittagessen in der Mensa?',
    'combien coûte le repas de midi ?',
    '¿cuánto cuesta el menú del día?',
    '午饭多少钱？',
    'what does “soup” cost? I ask for Dr. Lund.',
    `why ${'so '.repeat(200)}?`,
  ])('is one sentence that is told from those of sources: %s', (part) => {
    const note = noteOfPart(part);
    expect(withoutNotes(note)).toBe('');
    expect(lacksPart(`Lunch is served daily. [1] ${note}`)).toBe(true);
  });

  it('is not seen in other answers', () => {
    expect(lacksPart('Lunch is served daily. [1]')).toBe(false);
  });
});
