import { describe, expect, it } from 'vitest';
import { asksTwice } from './answer-hints.js';
import { answerExtractively } from './answer-extractively.js';
import { condenseQuestion } from './condense.js';

/** What is quoted for the last of these questions; undefined for nothing. */
function answerTo(questions: readonly string[], texts: readonly string[]): string | undefined {
  const history = questions.slice(0, -1).map((content) => ({ role: 'user', content }));
  const asked = questions.at(-1)!;
  const sources = texts.map((text, at) => ({ number: at + 1, text, score: 1 - at / 10 }));
  return answerExtractively(condenseQuestion(history, asked), sources, { asked })?.answer;
}

describe('a question that goes on from the last one', () => {
  it.each([
    'And what does it cost?',
    'Und wie viel darf sie bestellen?',
    'Et quand ouvre-t-il ?',
    '¿Y cuándo empieza?',
    'but who pays?',
  ])('asks one thing: %s', (question) => {
    expect(asksTwice(question)).toBe(false);
  });

  it.each([
    'And what does it cost and who pays?',
    'When does it open and what does it cost?',
    'Wann kommt er und wie teuer ist er?',
    'Qui vient et quand ?',
  ])('asks two things: %s', (question) => {
    expect(asksTwice(question)).toBe(true);
  });

  it('carries no part of a question word of the last one', () => {
    const history = [{ role: 'user', content: 'How long does the varnish take to dry?' }];
    expect(condenseQuestion(history, 'And what does it cost?')).toBe('And what does it cost? varnish dry');
    const german = [{ role: 'user', content: 'Wie hoch ist der Zaun am Hafen?' }];
    expect(condenseQuestion(german, 'Wer streicht ihn?')).toBe('Wer streicht ihn? Zaun Hafen');
  });
});

const MINUTES =
  'Crane\n\nThe board ordered the harbour crane for 90,000 euros.\n\nHeating\n\nThe boiler is loud since Friday. The fitter of Brunn comes on 4 May.';
const PROTOKOLL =
  'Kran\n\nDer Vorstand hat den Hafenkran für 90.000 Euro bestellt.\n\nHeizung\n\nDer Kessel ist seit Freitag laut. Der Monteur von Brunn kommt am 4. Mai.';

describe('a question that takes up what was spoken of with a pronoun', () => {
  it.each([
    [['Which harbour crane was ordered?', 'When does it come?'], MINUTES],
    [['Welcher Hafenkran wurde bestellt?', 'Wann kommt er?'], PROTOKOLL],
    [
      ['Quelle grue a été commandée ?', 'Quand arrive-t-elle ?'],
      'Le conseil a commandé la grue du port.\n\nChauffage\n\nLe bruit dure depuis vendredi. Le technicien arrive le 4 mai.',
    ],
    [
      ['¿Qué grúa se ha encargado?', '¿Cuándo llega ella?'],
      'La junta ha encargado la grúa del puerto.\n\nCalefacción\n\nEl ruido dura desde el viernes. El técnico llega el 4 de mayo.',
    ],
  ])('is not answered with what is told of something else: %j', (questions, text) => {
    expect(answerTo(questions, [text])).toBeUndefined();
  });

  it.each([
    [
      ['Which harbour crane was ordered?', 'When does it come?'],
      'The harbour crane was ordered. It comes on 9 June.',
      '9 June',
    ],
    [
      ['Welcher Hafenkran wurde bestellt?', 'Wann kommt er?'],
      'Der Hafenkran ist bestellt. Er kommt am 9. Juni.',
      '9. Juni',
    ],
    [
      ['Which harbour crane was ordered?', 'When does it come?'],
      '## Harbour crane\n\nA report was read. The supplier comes on 9 June.',
      '9 June',
    ],
    [
      ['Which harbour crane was ordered?', 'When does it come?'],
      '1. Harbour crane\n\nA report was read. The lorry comes on 9 June.',
      '9 June',
    ],
  ])('is answered with what is told of that: %j', (questions, text, expected) => {
    expect(answerTo(questions, [text])).toContain(expected);
  });
});
