import { describe, expect, it } from 'vitest';
import { answerExtractively } from './answer-extractively.js';
import type { ExtractiveSource } from './extractive.js';
import { contentTermsOf } from './question-profile.js';
import { SourceReader } from './source-reader.js';

const QUESTIONS = `How long does a lesson take?

Lessons take 45 minutes. Private lessons take an hour.

May I film?

From the gallery everybody may, on Sundays from 9 to 11.

What happens to my old season ticket?

We punch it and hand it back as a keepsake.`;

const REPORT = `Report on the leak in basin 2

Harbour pool, 3 March 2026

What happened

At 6:20 the seal of the lower hatch tore and two thousand litres ran into the engine room.

The pump stopped by itself.

What we do from now on

1. The seals are replaced each spring.

2. The hatch is looked at every Monday.`;

const AGREEMENT = `1. Subject
Mole Cleaning cleans the halls of the pool on each working day.

2. Term
The contract runs for two years. Either side may terminate it in writing with a notice of three months.

3. Machines
Mole Cleaning brings its own machines and keeps them in the cellar.`;

const source = (text: string, title = 'a.txt', number = 1): ExtractiveSource => ({ number, text, title, score: 1 });

const answer = (question: string, ...sources: ExtractiveSource[]): string | undefined =>
  answerExtractively(question, sources)?.answer.replace(/ \[\d+\]/g, '');

describe('what stands over a sentence', () => {
  const report = source(REPORT, 'leak.pdf\nReport on the leak in basin 2');
  const prices = source('item | price_eur\nSeason ticket | 140\nDay ticket | 6', 'prices.csv', 2);

  it('is the question of the text that it answers, also beside rows that share a word with the question', () => {
    expect(answer('What happens to my old season ticket?', source(QUESTIONS), prices)).toMatch(
      /^We punch it and hand it back as a keepsake\./,
    );
    expect(answer('Can I film the lesson?', source(QUESTIONS), prices)).toMatch(/^From the gallery everybody may/);
  });

  it('is the heading that announces it', () => {
    expect(answer('What happened with the leak?', report)).toBe(
      'At 6:20 the seal of the lower hatch tore and two thousand litres ran into the engine room.',
    );
  });

  it('is quoted with its list, and alone it is no answer', () => {
    expect(answer('What do we do from now on after the leak?', report)).toMatch(/The seals are replaced each spring\./);
    expect(answer('What did the leak cost?', source(REPORT.split('\n', 1)[0]!, report.title))).toBe(undefined);
  });

  it('is what a pronoun means, which is not quoted for it beside another one', () => {
    expect(
      answer('Who orders the new hatch?', source('We buy a new hatch for 900 euros. Malik orders it in May.')),
    ).toMatch(/Malik orders it in May\./);
    const tour = source('Dr Sandhu leads the tour of the engine room. It lasts 75 minutes and costs nothing.');
    expect(answer('Who leads the tour of the engine room?', tour)).toBe('Dr Sandhu leads the tour of the engine room.');
  });

  it('lets a name alone say nothing beside the matter', () => {
    expect(answer('How do I terminate the contract with Mole Cleaning?', source(AGREEMENT))).toMatch(
      /^Either side may terminate it in writing/,
    );
  });

  it('does not count where what means most holds little of what words found', () => {
    const text = 'Season tickets are guaranteed for a year. Most repairs of lockers are done within two days.';
    const likeness = [2, 6];
    const question = 'How long is the guarantee of season tickets?';
    expect(answerExtractively(question, [{ ...source(text), likeness }])?.answer).toMatch(/^Season tickets are guar/);
  });
});

describe('days of the week', () => {
  const held = (question: string, text: string): number =>
    new SourceReader(contentTermsOf(question)).read(text).matches[
      contentTermsOf(question).findIndex(({ measure }) => measure?.unit === 'weekday')
    ]!;

  it.each([
    ['Are you open on Wednesday?', 'Open from Tuesday to Saturday.'],
    ['Are you open on Sunday?', 'Open from Tuesday to Saturday.'],
    ['When are you open on Sundays?', 'Open Friday to Monday, 9:00 to 12:00.'],
    ['When does the bus run on Tuesdays?', 'It runs daily at 8.'],
    ['Wann ist mittwochs geöffnet?', 'Montag bis Freitag von 8 bis 16 Uhr.'],
    ['Habt ihr am Samstag offen?', 'Werktags von 8 bis 16 Uhr.'],
    ['C’est ouvert le jeudi ?', 'Du lundi au vendredi, de 9 h à 17 h.'],
    ['¿A qué hora abren el miércoles?', 'De lunes a viernes, de 9 a 17 horas.'],
  ])('%s is answered by “%s”', (question, text) => {
    expect(held(question, text)).toBeGreaterThan(0.5);
  });

  it.each([
    ['When are you open on Sundays?', 'Open from Tuesday to Saturday.'],
    ['When are you open on Sundays?', 'Each child of three to twelve pays half.'],
    ['When is the market on Friday?', 'At the weekend the hall is closed.'],
  ])('%s is not answered by “%s”', (question, text) => {
    expect(held(question, text)).toBe(0);
  });
});
