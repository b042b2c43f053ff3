import { describe, expect, it } from 'vitest';
import { analyzeChunk, decodeTerms, encodeTerms, summarizeTerms, TermStatistics } from '#libs/ranking';
import { askedPartOf, contextForms } from './asked-part.js';
import { judgeAnswered } from './answered.js';
import { profileQuestion } from './question-profile.js';
import { partlySaid, questionsWithout } from './strange-words.js';

describe('askedPartOf', () => {
  it.each([
    ['My daughter is seven. What does she pay?', 'What does she pay?'],
    ['What does she pay? She is seven.', 'What does she pay?'],
    ['Wir kommen gegen Mitternacht an – wo können wir parken?', 'wo können wir parken?'],
    ['We come at midnight - where do we park?', 'where do we park?'],
    ['J’ai réservé le 10 mai. Jusqu’à quand puis-je annuler ?', 'Jusqu’à quand puis-je annuler ?'],
    ['I have a dog. May it swim? Where does it sleep?', 'May it swim? Where does it sleep?'],
  ])('%s', (message, part) => {
    expect(askedPartOf(message)).toBe(part);
  });

  it.each([
    'What does a child of seven pay?',
    'tumble dryer price',
    'My daughter is seven. Tell me what she pays.',
    'Is there a check-in - and a check-out - counter?',
    'Which of the e-bikes are free?',
    '',
  ])('is the whole of “%s”', (message) => {
    expect(askedPartOf(message)).toBe(message);
    expect(contextForms(message)).toEqual(new Set());
  });

  it('takes no longer for a long message', () => {
    const started = performance.now();
    askedPartOf(`${'We come - we park - '.repeat(20_000)}where?`);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

function profileOf(question: string, texts: readonly string[]): ReturnType<typeof profileQuestion> {
  const statistics = new TermStatistics();
  statistics.add(summarizeTerms(texts.map((text) => decodeTerms(encodeTerms(analyzeChunk({ text }))))));
  return profileQuestion(question, statistics);
}

describe('the context of a question', () => {
  const ILL = 'If you are ill, phone your team lead at least 90 minutes before your shift begins.';

  it.each([
    ['I woke up with a fever and should work on 4 May. How early do I have to ring in?', ILL, 4],
    ['I reserved for 9 August. Until when may I cancel without paying?', 'Bookings are cancelled up to 21 June.', 4],
    ['It happened at 3 in the morning - where do I find the shock device?', 'The defibrillator hangs in the porch.', 5],
  ])('names nothing that an answer has to hold: %s', (question, text, likeness) => {
    const { answered } = judgeAnswered(profileOf(question, [text]), [{ text, title: '', likeness: [likeness] }], 3);
    expect(answered).toBeGreaterThan(0.5);
  });

  it.each([
    ['I am in my second year. What do I earn?', 'In the first year you earn 900 euros, in the third 1,100 euros.'],
    ['I live in Leeds. When does the pool open?', 'In Porto the pool opens at 9:00.'],
  ])('still names which one is meant: %s', (question, text) => {
    const { answered } = judgeAnswered(profileOf(question, [text]), [{ text, title: '', likeness: [3] }], 3);
    expect(answered).toBeLessThan(0.5);
  });

  it('leads away from no statement', () => {
    const question = 'A colleague would take my late duty. How far ahead do I have to tell the manager?';
    const text = 'Who trades a shift tells the manager at least 48 hours before.';
    expect([...questionsWithout(question).keys()]).not.toContain('duty');
    expect(partlySaid(question, [{ text, title: '' }])[0]!.lacks).not.toContain('duty');
  });
});

describe('a letter that names one of several', () => {
  it.each([
    ['Wann ist Block D geöffnet?', 'Block C ist vom 1. Juni bis zum 15. September geöffnet.'],
    ['Was kostet Tarif B im Monat?', 'Tarif A kostet 12 Euro im Monat.'],
  ])('is lacking: %s', (question, text) => {
    const { answered } = judgeAnswered(profileOf(question, [text]), [{ text, title: '', likeness: [4] }], 3);
    expect(answered).toBeLessThan(0.5);
  });
});
