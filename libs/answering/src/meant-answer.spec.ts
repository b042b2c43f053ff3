import { describe, expect, it } from 'vitest';
import { judgeAnswered, measureAnswered, type JudgedSource } from './answered.js';
import { answerExtractively } from './answer-extractively.js';
import { profileQuestion } from './question-profile.js';
import { splitStatements } from './statements.js';

const STATISTICS = { chunkCount: 40, df: (): number => 0, averageLength: (): number => 50 };
const BAR = 3;

/** A source whose statements are as alike to the question as `likeness` says of their first words. */
function sourceOf(text: string, likeness: Readonly<Record<string, number>>): JudgedSource {
  const of = splitStatements(text).map(
    ({ start }) => Object.entries(likeness).find(([words]) => text.startsWith(words, start))?.[1] ?? 0.1,
  );
  return { text, title: 'handbook.md', likeness: of };
}

function judge(question: string, ...sources: JudgedSource[]): { answered: number; isMeant: boolean } {
  return judgeAnswered(profileQuestion(question, STATISTICS), sources, BAR);
}

const PETS = 'Dogs are admitted on the outer decks when they are kept on a lead. Prams are folded below the stairs.';

describe('judgeAnswered', () => {
  it('answers by meaning alone where no word is shared, and quotes what means most', () => {
    const question = 'Can I bring my pup along?';
    const source = sourceOf(PETS, { Dogs: 4.2, Prams: 0.4 });
    expect(measureAnswered(profileQuestion(question, STATISTICS), [source])).toBeLessThan(0.5);
    const { answered, isMeant } = judge(question, source);
    expect({ isAnswered: answered >= 0.5, isMeant }).toEqual({ isAnswered: true, isMeant: true });
    const found = answerExtractively(question, [{ ...source, number: 1, score: 1 }]);
    expect(found?.answer).toBe('Dogs are admitted on the outer decks when they are kept on a lead. [1]');
  });

  it.each([
    ['How long is the trial phase?', 'Recently hired staff serve a probationary period of five months.'],
    [
      'Why did you get rid of the old boat?',
      'The vessel was decommissioned because her hull failed the stability test.',
    ],
    ['Ab wie viel Kilo darf man nicht mehr allein schleppen, wie schwer?', 'Lasten über 25 kg werden zu zweit bewegt.'],
  ])('wants less likeness of what holds a thing of the sort that is asked for: %s', (question, text) => {
    expect(judge(question, sourceOf(text, { [text.slice(0, 6)]: 2.2 })).answered).toBeGreaterThanOrEqual(0.5);
    expect(judge(question, sourceOf('They were told so last week.', { They: 2.2 })).answered).toBeLessThan(0.5);
  });

  it.each([
    ['May I bring my sandwiches?', 'Own food is not allowed in the hall.', 'Own food is common in the hall.'],
    ['Can I pay in coins?', 'Notes and coins may be used.', 'From 19 May the lunch costs 5 euros.'],
    ['Darf ich meine Katze mitbringen?', 'Haustiere sind untersagt.', 'Haustiere sind beliebt.'],
    ['Peut-on dormir dans sa voiture ?', 'Le camping est interdit.', 'Le camping est calme.'],
    ['¿Se puede fumar?', 'El tabaco está prohibido.', 'El tabaco es caro.'],
  ])('wants less likeness of what allows or forbids where that is asked: %s', (question, ruling, other) => {
    const of = (text: string): JudgedSource => sourceOf(text, { [text.slice(0, 6)]: 2.2 });
    expect(judge(question, of(ruling)).answered).toBeGreaterThanOrEqual(0.5);
    expect(judge(question, of(other)).answered).toBeLessThan(0.5);
  });

  it('takes the title of a text for no statement', () => {
    const text = 'New tyres and new chargers\n\nThe two old posts will be taken down at the end of May.';
    const source = sourceOf(text, { New: 5, The: 4 });
    const found = answerExtractively('And the outdated ones?', [{ ...source, number: 1, score: 1 }]);
    expect(found?.answer).toBe('The two old posts will be taken down at the end of May. [1]');
  });

  it('quotes no second statement that is much less alike', () => {
    const source = sourceOf(PETS, { Dogs: 4.2, Prams: 2.7 });
    const found = answerExtractively('Can I bring my pup along?', [{ ...source, number: 1, score: 1 }]);
    expect(found?.answer).toBe('Dogs are admitted on the outer decks when they are kept on a lead. [1]');
  });

  it('takes a row with a rule and its catchword for a sentence, where it holds what is asked for', () => {
    const rules =
      'Topic | Rule\nGates | The gates close 40 minutes before the train departs.\nPets | Pets travel in a basket.';
    const question = 'How early do I have to be at the platform?';
    expect(judge(question, sourceOf(rules, { Gates: 4 })).answered).toBeGreaterThanOrEqual(0.5);
    const fares = 'Topic | Fare\nGates | 4 euros\nPets | 3 euros';
    expect(judge(question, sourceOf(fares, { Gates: 4 })).answered).toBeLessThan(0.5);
  });

  it('is surer of a refusal for a sign of a near miss than of one for little likeness', () => {
    const little = judge('Can I bring my pup along?', sourceOf(PETS, { Dogs: 0.2 }));
    const miss = judge('What do prams that are folded below the stairs cost?', sourceOf(PETS, { Dogs: 0.2 }));
    expect(little.answered).toBeLessThan(0.5);
    expect(miss.answered).toBeLessThan(little.answered);
  });

  it('is surer of a refusal where the statement that means most is a near miss, whatever words are shared elsewhere', () => {
    const question = 'What does parking cost at Holt?';
    const sources = [
      sourceOf('Category | Route | Price EUR\nCar | Larn - Ness | 40', { Car: 4 }),
      sourceOf('What parking costs is told by signs. The quay is lit all night.', { What: 1 }),
    ];
    const byWords = measureAnswered(profileQuestion(question, STATISTICS), sources);
    expect(byWords).toBeLessThan(0.5);
    expect(judge(question, ...sources).answered).toBeLessThan(byWords / 2);
  });

  it('refuses what is not alike enough', () => {
    expect(judge('Can I bring my pup along?', sourceOf(PETS, { Dogs: 1 })).answered).toBeLessThan(0.5);
  });

  it('refuses a near miss however alike it is: another one of several, nothing of what is asked for', () => {
    const pay = sourceOf('In the first year 1,050 euros are paid, in the third 1,260 euros.', { In: 8 });
    expect(judge('How much does an apprentice earn in the second year?', pay).answered).toBeLessThan(0.5);
    const officer = sourceOf('Prepared by the safety officer, Yusuf Tallack.', { Prepared: 8 });
    expect(judge('What is the phone number of Yusuf Tallack?', officer).answered).toBeLessThan(0.5);
  });

  it('wants more likeness of a statement that shares a name alone', () => {
    const source = sourceOf('The Kittiwake is the only vessel with fins.', { 'The Kittiwake': 4.2 });
    expect(judge('Where may I leave a pram overnight?', source).answered).toBeGreaterThan(0.5);
    expect(judge('Where may I leave a pram in the Kittiwake?', source).answered).toBeLessThan(0.5);
  });

  it('believes shared words less where the statement that means most is a near miss', () => {
    const question = 'What is the pay of apprentices in the second year of the training?';
    const profile = profileQuestion(question, STATISTICS);
    const abroad =
      'A stay abroad of apprentices belongs to the second year of the training, with the full pay of that year.';
    const pay = 'In the first year of the training 1,050 euros are paid, in the third 1,260 euros.';
    const sources = [sourceOf(abroad, { 'A stay': 1 }), sourceOf(pay, { 'In the first': 6 })];
    expect(measureAnswered(profile, sources)).toBeGreaterThan(0.5);
    expect(judgeAnswered(profile, sources, BAR).answered).toBeLessThan(0.5);
  });

  it('follows words alone where nothing was compared', () => {
    const profile = profileQuestion('Are dogs admitted on the outer decks?', STATISTICS);
    const source = { text: PETS, title: 'handbook.md' };
    expect(judgeAnswered(profile, [source], BAR)).toEqual({
      answered: measureAnswered(profile, [source]),
      isMeant: false,
      quotesMeant: false,
    });
  });

  it('leaves the choice to words where they find a statement that contradicts the one that means most', () => {
    const older = 'Hull cleaning takes place every eighteen months.';
    const newer = 'Hull cleaning takes place every twelve months.';
    const speed = 'The speed on the route is limited to save fuel.';
    const sources = [
      { number: 1, text: `${older} ${speed}`, score: 1, likeness: [5, 4.5], date: { iso: '2023-09-12', text: '2023' } },
      { number: 2, text: newer, score: 0.9, likeness: [3], date: { iso: '2025-03-01', text: '2025' } },
    ];
    const found = answerExtractively('How often is the hull cleaned?', sources);
    expect(found?.answer.startsWith(newer)).toBe(true);
    expect(found?.answer).toContain(older);
  });

  it('takes rules of other cases for no contradiction of the one that means most', () => {
    const text = 'Adults pay 12 euros for the day ticket. Children pay 6 euros for the day ticket.';
    const sources = [{ number: 1, text, score: 1, likeness: [1, 5] }];
    const found = answerExtractively('What is the day ticket for my seven-year-old?', sources);
    expect(found?.answer).toBe('Children pay 6 euros for the day ticket. [1]');
  });

  it('quotes as many statements for their meaning as a question for a list wants', () => {
    const text =
      'A passport is among the documents for a visa. A photo is among the documents for a visa. ' +
      'A letter of the host goes along. Proof of means is among the documents for a visa. The office is closed on Mondays.';
    const sources = [{ number: 1, text, score: 1, likeness: [5, 4.6, 4.3, 0.4, 0.2] }];
    const found = answerExtractively('Which documents are needed for a visa?', sources);
    for (const one of ['passport', 'photo', 'letter', 'Proof']) expect(found?.answer).toContain(one);
    expect(found?.answer).not.toContain('Mondays');
  });

  it('lets meaning choose what is quoted where words find an answer as well, without calling it an answer by meaning alone', () => {
    const profile = profileQuestion('How many days off do I get in a year?', STATISTICS);
    const source = sourceOf(
      'Each employee may attend five days of courses a year. Full-time employees are entitled to 27 days of annual leave.',
      { Each: 1, 'Full-time': 5 },
    );
    const { isMeant, quotesMeant } = judgeAnswered(profile, [source], BAR);
    expect({ isMeant, quotesMeant }).toEqual({ isMeant: false, quotesMeant: true });
  });
});
