import { describe, expect, it } from 'vitest';
import { TermStatistics } from '#libs/ranking';
import { ANSWERED_THRESHOLD, judgeAnswered, measureAnswered } from './answered.js';
import { findMissing } from './missing.js';
import { profileQuestion } from './question-profile.js';
import { partlySaid, questionsWithout } from './strange-words.js';

const HENS = 'Hens may be kept, at most eight on a plot.';

describe('a question without one of its words', () => {
  it.each([
    ['How many rabbits may I feed?', { rabbits: 'How many may I feed?', feed: 'How many rabbits may I ?' }],
    [
      "Is the doctor's room locked?",
      { doctor: 'Is the room locked?', room: "Is the doctor's locked?", locked: "Is the doctor's room ?" },
    ],
    ['Wer prüft die Feuerlöscher?', { pruft: 'Wer die Feuerlöscher?', feuerloscher: 'Wer prüft die ?' }],
  ])('%s', (question, expected) => {
    expect(Object.fromEntries(questionsWithout(question))).toEqual(expected);
  });

  it('keeps words of prices, of time and of questions, and scripts without spaces', () => {
    expect([...questionsWithout('What does a plot cost a year, and which type?').keys()]).toEqual(['plot']);
    expect(questionsWithout('第三期款什么时候支付？').size).toBe(0);
    expect(questionsWithout('我的iPhone手机保修多久，怎么申请？').size).toBe(0);
  });

  it.each([
    'When precisely is the boiler serviced again?',
    'How often is the boiler usually serviced nowadays?',
    'Wann genau wird der Boiler normalerweise gewartet?',
    'Quand le boiler est-il normalement réparé exactement ?',
    '¿Cuándo se revisa actualmente el boiler?',
    'Quando viene revisionato normalmente il boiler?',
  ])('keeps what says how or how often: %s', (question) => {
    const others = ['serviced', 'gewartet', 'repare', 'revisa', 'revisionato', 'viene', 'se', 'est'];
    expect([...questionsWithout(question).keys()].filter((form) => !others.includes(form))).toEqual(['boiler']);
  });

  it.each([
    ['How many boilers may I keep?', 'keep'],
    ['Reicht für das Haus ein Boiler?', 'reicht'],
    ['Wo darf ich den Boiler abstellen?', 'abstellen'],
    ['Puis-je apporter un boiler dans la cave ?', 'apporter'],
    ['¿Puedo traer un boiler a la casa?', 'traer'],
  ])('keeps a verb that names no thing: %s', (question, verb) => {
    const left = [...questionsWithout(question).keys()];
    expect(left.some((form) => form.startsWith('boiler'))).toBe(true);
    expect(left).not.toContain(verb);
  });

  it('leaves out a thing that ends like an adverb', () => {
    expect([...questionsWithout('What does the family ticket cost?').keys()]).toEqual(['family', 'ticket']);
  });

  it('leaves out eight at most, and never all', () => {
    expect(questionsWithout('red green blue white black brown pink grey violet beige').size).toBe(8);
    expect(questionsWithout('Kündigungsfrist').size).toBe(0);
  });
});

describe('statements that say a part of a question', () => {
  it('are those that share a word of the matter, the ones that hold most first, with what they lack', () => {
    const texts = [
      { text: 'The key is kept at the lodge. Bees need a signature.', title: '' },
      { text: `${HENS} Cockerels are forbidden.`, title: 'Animals' },
    ];
    expect(partlySaid('How many rabbits may be kept on a plot?', texts)).toMatchObject([
      { text: 1, at: 0, lacks: ['rabbits'] },
      { text: 0, at: 0, lacks: ['rabbits', 'plot'] },
    ]);
  });

  it('are no headings and no rows of tables, which lack most words of most questions', () => {
    const text = '# Animals\n\nHens | 8\nCats | 2';
    expect(partlySaid('How many hens and animals may live here?', [{ text, title: '' }])).toEqual([]);
  });
});

describe('a word that leads away from what shares the others', () => {
  const judge = (question: string, by: Readonly<Record<string, number>>, text = HENS): number =>
    measureAnswered(profileQuestion(question, new TermStatistics()), [
      { text, title: 'rules', strange: [new Map(Object.entries(by))] },
    ]);

  it('is the sign of a near miss', () => {
    const question = 'How many rabbits may be kept on a plot?';
    expect(judge(question, { rabbits: 0.2 })).toBeGreaterThan(ANSWERED_THRESHOLD);
    expect(judge(question, { rabbits: 0.6 })).toBeLessThan(ANSWERED_THRESHOLD);
  });

  it('is none where it is held after all, or nothing is shared', () => {
    expect(judge('How many hens may be kept on a plot?', { hens: 3 })).toBeGreaterThan(ANSWERED_THRESHOLD);
    const own = 'Do poultry owners need consent?';
    expect(judge(own, { poultry: 3, owners: 3 })).toBe(judge(own, {}));
  });

  it('is none where another sentence of the text holds it', () => {
    const text = 'Cream is sold. Milk is kept at the dairy. Butter is salted. The van collects jars at 15:45.';
    const question = 'When does the van collect the jars of milk?';
    const judged = (source: string): number =>
      measureAnswered(profileQuestion(question, new TermStatistics()), [
        { text: source, title: 'rules', strange: [undefined, undefined, undefined, new Map([['milk', 0.9]])] },
      ]);
    expect(judged(text)).toBeGreaterThan(ANSWERED_THRESHOLD);
    expect(judged(text.replace('Milk', 'Cheese'))).toBeLessThan(ANSWERED_THRESHOLD);
  });

  it('is none across languages, where all else is lacking too', () => {
    const question = 'Wie viel Geld gibt es pro Kilometer mit dem eigenen Auto?';
    const text = 'Staff who use their own car for a journey receive 0.32 euros for every Kilometer that was driven.';
    const [profile, by] = [profileQuestion(question, new TermStatistics()), new Map([['auto', 0.9]])];
    const found = judgeAnswered(profile, [{ text, title: 'travel', likeness: [5], strange: [by] }], 3);
    expect(found.answered).toBeGreaterThan(ANSWERED_THRESHOLD);
  });

  it('is named as what is missing', () => {
    const question = 'How many rabbits may be kept on a plot?';
    const strange = [new Map([['rabbits', 0.6]])];
    const profile = profileQuestion(question, new TermStatistics());
    expect(findMissing(question, profile, [{ text: HENS, title: '', strange }])).toEqual({
      kind: 'another_thing',
      words: ['rabbits'],
    });
  });
});
