import { describe, expect, it } from 'vitest';
import { analyzeChunk, decodeTerms, encodeTerms, summarizeTerms, TermStatistics } from '#libs/ranking';
import { ANSWERED_THRESHOLD, measureAnswered } from './answered.js';
import { condenseQuestion } from './condense.js';
import { answerExtractively } from './answer-extractively.js';
import { asFollowUp, profileQuestion } from './question-profile.js';

const PASSAGES = [
  [
    '## Paint line\n\nThe order for the paint line goes to Kessler. It is to start in September. Tom Brandt is responsible.',
    '## Trade fair\n\nThe company does not take part in the fair this year. A stand in Stockholm is proposed.',
  ],
  ['Up to three days a week may be worked from home. Trainees work from home on one day at most.'],
  [
    '## Lackieranlage\n\nDen Auftrag für die Lackieranlage erhält Kessler. Sie startet im September. Verantwortlich ist Tom Brandt.',
  ],
  [
    '## Ligne de peinture\n\nLa commande de la ligne de peinture revient à Kessler. Elle démarre en septembre. Le responsable est Tom Brandt.',
  ],
  [
    '## Línea de pintura\n\nEl pedido de la línea de pintura es para Kessler. Empieza en septiembre. El responsable es Tom Brandt.',
  ],
  ['喷漆线的订单交给凯斯勒公司。九月开始运行。由唐先生负责。'],
];

/** What is quoted first for the last of these questions. */
function quoted(questions: readonly string[], texts: readonly string[]): string {
  const history = questions.slice(0, -1).map((content) => ({ role: 'user', content }));
  const asked = questions.at(-1)!;
  const sources = texts.map((text, at) => ({ number: at + 1, text, score: 1 - at / 10 }));
  return answerExtractively(condenseQuestion(history, asked), sources, { asked })?.answer.split(' [')[0] ?? '';
}

describe('a follow-up question', () => {
  it.each([
    [['Which company builds the paint line?', 'When will it start?'], 0, 'It is to start in September.'],
    [['Which company builds the paint line?', 'Who is responsible for it?'], 0, 'Tom Brandt is responsible.'],
    [['How many days from home are allowed?', 'And for trainees?'], 1, 'Trainees work from home on one day at most.'],
    [['Wer baut die Lackieranlage?', 'Wann startet sie?'], 2, 'Sie startet im September.'],
    [['Qui construit la ligne de peinture ?', 'Quand démarre-t-elle ?'], 3, 'Elle démarre en septembre.'],
    [['¿Quién construye la línea de pintura?', '¿Y cuándo empieza?'], 4, 'Empieza en septiembre.'],
    [['喷漆线的订单交给谁？', '它什么时候开始运行？'], 5, '九月开始运行。'],
  ])('is answered by what it asks itself, not by what was asked before: %j', (questions, passages, expected) => {
    expect(quoted(questions, PASSAGES[passages]!)).toBe(expected);
  });
});

describe('a follow-up question that names another one', () => {
  const PRICES = 'Item | Unit | Price\nLocker | month | 12 EUR\nBench | hour | 7 EUR\nLamp | day | 3 EUR';
  const question = condenseQuestion([{ role: 'user', content: 'What does a locker cost?' }], 'And a bench?');

  it('asks the same of it, and no longer of the first one', () => {
    const statistics = new TermStatistics();
    statistics.add(summarizeTerms([decodeTerms(encodeTerms(analyzeChunk({ text: PRICES })))]));
    const profile = asFollowUp(profileQuestion(question, statistics), 'And a bench?');
    expect(measureAnswered(profile, [{ text: PRICES, title: 'Prices' }])).toBeGreaterThanOrEqual(ANSWERED_THRESHOLD);
    const answer = answerExtractively(question, [{ number: 1, text: PRICES, score: 1 }], {
      asked: 'And a bench?',
    })?.answer;
    expect(answer).toContain('Bench');
    expect(answer).not.toContain('Locker');
  });
});

describe('a follow-up question to an answer', () => {
  const MINUTES =
    'Present: Greta Halloran, Tomas Wick, Ilse Brandt. Finance director Tomas Wick retires on 31 August. His position will be taken over by Leonie Strand.';
  const retires = 'Finance director Tomas Wick retires on 31 August. [1]';
  const ask = (asked: string, text: string, told: readonly string[], question = asked): string | undefined =>
    answerExtractively(question, [{ number: 1, text, score: 1 }], { asked, told, maxSentences: 1 })?.answer;

  it('is not answered by what was told already, but by the sentence that goes on from it', () => {
    const question = condenseQuestion([{ role: 'user', content: 'When does Tomas Wick retire?' }], 'Who follows him?');
    expect(ask('Who follows him?', MINUTES, [retires], question)).toBe(
      'His position will be taken over by Leonie Strand. [1]',
    );
  });

  it('is answered by the same sentence again where that holds what is asked now, or where it asks nothing new', () => {
    const text = 'The club was founded in 1911 by Ada Krantz. Krantz was the first woman to chair it.';
    const told = ['The club was founded in 1911 by Ada Krantz. [1]'];
    expect(ask('Who founded it?', text, told, 'Who founded it? club 1911')).toMatch(/^The club was founded/);
    expect(ask('Since when?', text, told, 'Since when? club founded')).toMatch(/^The club was founded/);
  });

  it('is not answered by what was most like the completed question, where that was told', () => {
    const sources = [{ number: 1, text: MINUTES, score: 1, likeness: [0.2, 6, 4] }];
    const options = { asked: 'Who follows him?', told: [retires] };
    const found = answerExtractively('Who follows him? Tomas Wick retire', sources, options);
    expect(found?.answer).toMatch(/^His position/);
  });

  it('is answered by what means most of the rest, in whatever words', () => {
    const text = `${MINUTES} Leonie Strand is the successor. Wick and Tomas follow the minutes.`;
    const sources = [{ number: 1, text, score: 1, likeness: [0.2, 6, 0.5, 5.5, 0.3] }];
    const options = { asked: 'Who follows him?', told: [retires] };
    const found = answerExtractively('Who follows him? Tomas Wick retire', sources, options);
    expect(found?.answer).toBe('Leonie Strand is the successor. [1]');
  });
});

describe('a follow-up question below a title that holds words of the question before', () => {
  it('is answered by two sentences where both tell of what is asked', () => {
    const text =
      '# Guide du musée de Vardes\n\n## Horaires\n\nLe musée ouvre à 9 h et ferme à 18 h, sauf le mardi. En hiver, il reste fermé le lundi.';
    const answer = answerExtractively('Et il ferme quand ? ouvre musée Vardes', [{ number: 1, text, score: 1 }], {
      asked: 'Et il ferme quand ?',
      told: ['Le musée ouvre à 9 h et ferme à 18 h, sauf le mardi. [1]'],
    })?.answer;
    expect(answer).toContain('ferme à 18 h');
  });
});

describe('the sentence behind one that was told', () => {
  const told = ['Frau Keller leitet den Vertrieb. [1]'];
  const ask = (text: string): string | undefined =>
    answerExtractively('Und hat sie einen Hund? leitet Vertrieb', [{ number: 1, text, score: 1 }], {
      asked: 'Und hat sie einen Hund?',
      told,
    })?.answer;

  it('goes on with the same where it points back or holds a word of what is asked', () => {
    expect(ask('Frau Keller leitet den Vertrieb. Sie wohnt mit einer Katze in Hull.')).toMatch(/^Sie wohnt/);
    expect(ask('Frau Keller leitet den Vertrieb. Ein Hund wohnt im Büro.')).toMatch(/^Ein Hund/);
  });

  it('is about something else where it does neither', () => {
    expect(ask('Frau Keller leitet den Vertrieb. Der Parkplatz ist nachts geschlossen.')).not.toContain('Parkplatz');
  });
});

/** How far these texts answer the last of these questions. */
function answered(questions: readonly string[], texts: readonly string[]): number {
  const history = questions.slice(0, -1).map((content) => ({ role: 'user', content }));
  const asked = questions.at(-1)!;
  const statistics = new TermStatistics();
  statistics.add(summarizeTerms(texts.map((text) => decodeTerms(encodeTerms(analyzeChunk({ text }))))));
  const profile = asFollowUp(profileQuestion(condenseQuestion(history, asked), statistics), asked);
  return measureAnswered(
    profile,
    texts.map((text) => ({ text, title: '' })),
  );
}

const HOME = ['Up to three days a week may be worked from home. Trainees work from home on one day at most.'];
const SITES = 'Site | Staff\nLeeds | 61\nPorto | 12';

describe('what a follow-up question names', () => {
  it.each([
    [['How many days from home are allowed?', 'And in Lyon?'], HOME],
    [
      ['How many days from home are allowed?', 'What about Porto?'],
      [...HOME, SITES],
    ],
    [
      ['Combien de jours peut-on travailler à la maison ?', 'Et à Lyon ?'],
      ['On peut travailler trois jours à la maison.'],
    ],
    [
      ['¿Cuántos días se trabaja en casa?', '¿Y en Porto?'],
      ['En casa se trabaja tres días.', SITES],
    ],
  ])('is no matter of what answered the question before: %j', (questions, texts) => {
    expect(answered(questions.slice(0, 1), texts)).toBeGreaterThanOrEqual(ANSWERED_THRESHOLD);
    expect(answered(questions, texts)).toBeLessThan(ANSWERED_THRESHOLD);
  });

  it.each([
    [['How many days from home are allowed?', 'And for trainees?'], HOME],
    [
      ['How many days may be worked from home in Leeds?', 'And in Lyon?'],
      ['In Lyon two days may be worked from home.'],
    ],
  ])('is answered where it is told: %j', (questions, texts) => {
    expect(answered(questions, texts)).toBeGreaterThanOrEqual(ANSWERED_THRESHOLD);
  });
});
