import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyzeChunk, decodeTerms, encodeTerms, summarizeTerms, TermStatistics } from '#libs/ranking';
import { ANSWERED_THRESHOLD, measureAnswered } from './answered.js';
import { profileQuestion } from './question-profile.js';

const HANDBOOK = [
  'The reading room of the Harbour Library opens at nine on weekdays and closes at six. Loans last three weeks.',
  'A lost access badge must be reported to the front desk within one day. A new badge costs four euros.',
  'The archive in the basement keeps newspapers since 1887 and may be visited by appointment with the archivist.',
  'The pump P-4711 is serviced every 500 hours. The pump P-4720 needs no service.',
];

const RIGHT: Readonly<Record<string, string>> = {
  'Who discovered the Bluetail?': 'The Bluetail was discovered by the naturalist Ida Holm.',
  'How much is paid in the second year of training?': 'In the second year of training 1,050 euros are paid.',
};

function answered(question: string, texts: readonly string[], title = ''): number {
  const statistics = new TermStatistics();
  statistics.add(summarizeTerms(texts.map((text) => decodeTerms(encodeTerms(analyzeChunk({ text }))))));
  return measureAnswered(
    profileQuestion(question, statistics),
    texts.map((text) => ({ text, title })),
  );
}

const OFFICE = [
  'The head of the archive is Ida Holm. She has worked here for six years.',
  'The café on the quay sells soup. Tables on the quay are reserved by telephone: 0471 220 815.',
  'The swimming hall in Holt opens at 7:30. A day ticket for the hall costs 6 euros.',
];
const PANELS = [
  'Nr | Bezeichnung | Farbe | Preis EUR\nP-1 | Wollpaneel Fjell | creme | 52.30\nP-2 | Wollpaneel Fjell | anthrazit | 52.30\nP-3 | Stellwand Deich | grau | 342.00',
];
const STOCK = [
  'Référence | Désignation | Emplacement | Quantité | Unité\nF-31 | Feutre gris | A4 | 230 | plaques\nF-32 | Feutre bordeaux | A5 | 66 | plaques',
];
const FARES = [
  'Category | Route | Return EUR\nAdult | Westport - Larn | 37.00\nChild | Westport - Larn | 17.50\nBicycle | Westport - Larn | 10.50',
];

const GRADES = [
  '# Grades\n\nEvery post has a grade.\n\n| Grade | Notice period | Holiday |\n|---|---|---|\n| G1 | 4 weeks | 26 days |\n| G2 | 6 weeks | 27 days |\n| G3 | 3 months | 28 days |',
  'Journeys are booked at the desk on the second floor.',
];
const BINS = [
  '| Container | Collection |\n|---|---|\n| Paper | Tuesday |\n| Organic | Friday |\n| Residual | Thursday |',
  'The lodge is open from 7:30 to 9:00.',
];
const SITES = [
  'Site | Ticket | For | Price EUR\nLarn | Annual ticket | Family | 990\nLarn | Annual ticket | Adult | 560\nNess | Annual ticket | Adult | 530',
];
const CAFE = [
  'Only food that was bought there may be eaten in the café at Mill Lane. Beer is sold in the café from 18:00.',
];
const GARAGE = ['A space costs 55 EUR a month.', 'A wash costs 2.40 EUR.', 'Beds are allotted by lot each February.'];

describe('what is asked for', () => {
  it.each([
    ['What is the phone number of Ida Holm?', OFFICE],
    ['How old is Ida Holm?', OFFICE],
    ['What is the e-mail address of the café on the quay?', OFFICE],
    ['What does the soup of the café on the quay cost?', OFFICE],
    ['What is the return fare for a student from Westport to Larn?', FARES],
    ['How much do all tickets from Westport to Larn cost together?', FARES],
    ['What is the limit on the Holt route?', ['The limit on the Larn route is 12 knots. It holds since May.']],
    ['Which bonus is given after twenty years?', ['After ten years of service a bonus of 600 euros is paid.']],
    [
      'Wie viele Urlaubstage haben Teilzeitkräfte?',
      ['Vollzeitkräfte haben 30 Urlaubstage. Sie gelten im Kalenderjahr.'],
    ],
    [
      'How many life jackets are on the Kittiwake?',
      ['Life jackets are under the seats of the Kittiwake, edition 2025.'],
    ],
    ['What does the return cost with a motorhome from Westport to Larn?', FARES],
    ['Was kostet das Wollpaneel Fjell in moosgrün?', PANELS],
    ['Combien de plaques de feutre turquoise avons-nous ?', STOCK],
    ['How heavy is the pump of the fountain?', ['The pump of the fountain has 16 litres of oil and stands in a shed.']],
    ['Wie schwer ist die Pumpe am Brunnen?', ['Die Pumpe am Brunnen läuft 16 Stunden am Tag und steht im Schuppen.']],
    ['How warm is the water of the big pool?', ['The water of the big pool is changed every 6 weeks.']],
    [
      'What does the new roof of the boathouse cost?',
      ['The new roof of the boathouse saves 18 per cent of the heating.'],
    ],
    [
      'In which year was the boathouse on the quay built?',
      ['The boathouse on the quay was built by 48 members of the club.'],
    ],
    [
      'On which day is the harvest supper of the club?',
      ['Members of the club help for one day a year at the harvest supper.'],
    ],
    [
      'How many people fit in the common room of the club?',
      ['The common room of the club costs 30 pounds for a half day.'],
    ],
    [
      'What is the hotline number of the bicycle scheme?',
      ['The hotline of the bicycle scheme is staffed on 7 days a week.'],
    ],
    ['When does the late round of the drivers begin?', ['The early round of the drivers begins at 4:30.']],
    ['Wann beginnt die Spätschicht der Fahrer?', ['Die Frühschicht der Fahrer beginnt um 5:30 Uhr.']],
    ['À quelle date le cours de natation commence-t-il ?', ['Le cours de natation se termine le 3 mai.']],
    ['¿Cuánto pesa la bomba de la fuente?', ['La bomba de la fuente tiene 16 litros de aceite.']],
    ['How long is the notice period for grade G7?', GRADES],
    ["What's the notice period if I'm in grade G7?", GRADES],
    ['When is the glass container collected?', BINS],
    ['How much does a storage room cost a month?', GARAGE],
    ['How much is the annual ticket for a family in Ness?', SITES],
    ['Can I bring my cat into the café at Mill Lane?', CAFE],
    ['Is it ok to use the fryer in the café at Mill Lane?', CAFE],
    [
      'Darf ich im Bistro der Halle Dreisam mit Rollschuhen fahren?',
      [
        'Im Bistro der Halle Dreisam darf nur gegessen werden, was dort gekauft wurde. Man darf dort nicht schnell fahren.',
      ],
    ],
    [
      'Where is the defibrillator at Foundry Yard?',
      ['The defibrillator at Mill Lane moves to the wall beside reception.', 'Foundry Yard gets new mats.'],
    ],
    ['How much is the fine for parking in the yard?', ['There are 42 places for parking below the yard.']],
  ])('is missed where something alike is told: %s', (question, texts) => {
    expect(answered(question, texts)).toBeLessThan(ANSWERED_THRESHOLD);
  });

  it.each([
    ['Was kostet das Wollpaneel Fjell in anthrazit?', PANELS],
    ['Was kostet das Wollpaneel Fjell?', PANELS],
    ['Welche Wollpaneele Fjell gibt es in moosgrün und anthrazit?', PANELS],
    ['Combien de plaques de feutre bordeaux avons-nous ?', STOCK],
    ['How heavy is the pump of the fountain?', ['The pump of the fountain weighs 40 kg and stands in a shed.']],
    ['Wie schwer ist die Pumpe am Brunnen?', ['Die Pumpe am Brunnen wiegt 40 kg und steht im Schuppen.']],
    ['In which year was the boathouse on the quay built?', ['The boathouse on the quay was built in 1931.']],
    [
      'On which day is the harvest supper of the club?',
      ['The harvest supper of the club is on the last Friday of September.'],
    ],
    [
      'When does the late round of the drivers begin?',
      ['The late round of the drivers begins at 13:30, the early round at 4:30.'],
    ],
    [
      'How many people fit in the common room of the club?',
      ['The common room of the club fits 40 people and costs 30 pounds.'],
    ],
  ])('is answered by the row that has it: %s', (question, texts) => {
    expect(answered(question, texts)).toBeGreaterThanOrEqual(ANSWERED_THRESHOLD);
  });

  it.each([
    ['How long is the notice period for grade G3?', GRADES],
    ["What's the notice period if I'm in grade G3?", GRADES],
    ['When is the paper container collected?', BINS],
    ['How much does a space cost a month?', GARAGE],
    ['How much is the annual ticket for a family in Larn?', SITES],
    ['How much is the annual ticket for an adult in Ness?', SITES],
    ['Can I eat my own food in the café at Mill Lane?', CAFE],
    [
      'Where is the defibrillator at Mill Lane?',
      ['The defibrillator at Mill Lane moves to the wall beside reception. That at Foundry Yard stays.'],
    ],
    [
      'How much does the company pay for the internet at home?',
      ['The company lends a screen at home. Electricity and internet are not reimbursed.'],
    ],
    ['What is the phone number of the café on the quay?', OFFICE],
    ['What time does the swimming hall in Holt open?', OFFICE],
    ['What does a day ticket for the swimming hall cost?', OFFICE],
    ['What is the return fare for a child from Westport to Larn?', FARES],
    ['What does a bike cost from Westport to Larn?', FARES],
    [
      'What is the limit on the Larn route?',
      ['The limit on the Larn route is 12 knots. That on the Holt route is 14.'],
    ],
    [
      'How much bonus is paid after ten years of service?',
      ['After ten years of service a bonus of 600 euros is paid.'],
    ],
    ['Wie viele Urlaubstage haben Vollzeitkräfte?', ['Vollzeitkräfte haben 30 Urlaubstage. Teilzeitkräfte haben 15.']],
  ])('is known where it is told: %s', (question, texts) => {
    expect(answered(question, texts)).toBeGreaterThanOrEqual(ANSWERED_THRESHOLD);
  });
});

describe('measureAnswered', () => {
  it.each([
    'When does the reading room open on weekdays?',
    'How long do loans last?',
    'What happens if I lose my badge?',
    'Since when are newspapers kept in the archive?',
    'How often is P-4711 serviced?',
  ])('knows that the documents answer: %s', (question) => {
    expect(answered(question, HANDBOOK)).toBeGreaterThanOrEqual(ANSWERED_THRESHOLD);
  });

  it.each([
    'What is the capital of Mongolia?',
    'How do I reset my password?',
    'Who won the football championship in 1998?',
    'How often is the helicopter serviced?',
    'When does the swimming pool of the Grand Hotel open?',
    'Was ist die Hauptstadt von Frankreich?',
    '法国的首都是哪里？',
  ])('knows that the documents do not answer: %s', (question) => {
    expect(answered(question, HANDBOOK)).toBeLessThan(ANSWERED_THRESHOLD);
  });

  it.each([
    ['Wann öffnet der Lesesaal?', 'Der Lesesaal öffnet um neun Uhr.'],
    ['Когда открывается читальный зал?', 'Читальный зал открыт с девяти часов, открывают его утром.'],
    ['阅览室几点开门？', '阅览室每天上午九点开门。'],
    ['閲覧室は何時に開きますか', '閲覧室は午前九時に開きます。'],
    ['ห้องอ่านหนังสือเปิดเมื่อไร', 'ห้องอ่านหนังสือเปิดเวลาเก้าโมง'],
    ['Okuma salonu ne zaman açılır?', 'Okuma salonu her gün saat dokuzda açılır.'],
  ])('works in every script: %s', (question, text) => {
    expect(answered(question, [text])).toBeGreaterThanOrEqual(ANSWERED_THRESHOLD);
    expect(answered(question, HANDBOOK)).toBeLessThan(ANSWERED_THRESHOLD);
  });

  it('takes a range that holds the quantity of the question for an answer, and another amount for a near miss', () => {
    const rules = ['A booking cancelled between 48 and 6 hours before departure costs half of the fare.'];
    const question = 'What does a booking cost that is cancelled %s hours before departure?';
    expect(answered(question.replace('%s', '24'), rules)).toBeGreaterThanOrEqual(ANSWERED_THRESHOLD);
    expect(answered(question.replace('%s', '72'), rules)).toBeLessThan(ANSWERED_THRESHOLD);
  });

  it.each([
    ['Who signs form K-18?', 'Who signs form K-17?', 'Software is ordered with form K-17, which the team lead signs.'],
    [
      'Wann endet der Vertrag für das Gebäude in York?',
      'Wann endet der Vertrag für das Gebäude in Hull?',
      'Das Gebäude in Hull ist gemietet, der Vertrag endet am 30. September 2027.',
    ],
  ])('refuses what is told of another one of the same sort: %s', (asked, told, text) => {
    expect(answered(asked, [text])).toBeLessThan(ANSWERED_THRESHOLD);
    expect(answered(told, [text])).toBeGreaterThanOrEqual(ANSWERED_THRESHOLD);
  });

  it.each([
    ['What is the phone number of the help desk?', 'The help desk answers from 7:30, telephone extension 3030.'],
    ['How long does a password have to be?', 'Passwords have at least 14 characters and never expire.'],
    [
      'Was verdient ein Azubi im zweiten Jahr?',
      'Auszubildende erhalten im ersten Jahr 980 Pfund im Monat, im zweiten Jahr verdienen sie 1.090 Pfund.',
    ],
  ])('knows what is asked for when it stands there: %s', (question, text) => {
    expect(answered(question, [text])).toBeGreaterThanOrEqual(ANSWERED_THRESHOLD);
  });

  it('does not take what each has for what all have together', () => {
    const rules = ['Each passenger may carry two suitcases. The vessels have a kitchen.'];
    expect(answered('How many suitcases may passengers carry?', rules)).toBeGreaterThanOrEqual(ANSWERED_THRESHOLD);
    expect(answered('How many suitcases may all passengers carry together?', rules)).toBeLessThan(ANSWERED_THRESHOLD);
  });

  it('falls far when a name of the question is nowhere', () => {
    const known = answered('How often is P-4711 serviced?', HANDBOOK);
    expect(answered('How often is P-4999 serviced?', HANDBOOK)).toBeLessThan(known - 0.2);
  });

  it('counts the title of the document for what the text leaves out', () => {
    const texts = ['It is serviced every 500 hours.', ...HANDBOOK.slice(0, 3)];
    const question = 'How often is the turbine serviced?';
    expect(answered(question, texts, 'turbine.md')).toBeGreaterThan(answered(question, texts) + 0.2);
  });

  it('is 0 without content words or sources, and in 0..1 for any input', () => {
    expect(answered('???', HANDBOOK)).toBe(0);
    expect(answered('reading room', [])).toBe(0);
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 6 }), (question, texts) => {
        const value = answered(question, texts);
        expect(value >= 0 && value <= 1).toBe(true);
      }),
    );
  });

  it.each([
    [
      'Who discovered the Bluetail?',
      'The Bluetail is a small bird that nests in old walls. It feeds on seeds and is seen from May to August.',
    ],
    [
      'How much is paid in the second year of training?',
      'In the first year of training 900 euros are paid, in the third year of training 1,200 euros.',
    ],
  ])('sees that something alike is no answer: %s', (question, text) => {
    const alone = answered(question, [...HANDBOOK, text]);
    const right = answered(question, [...HANDBOOK, `${text} ${RIGHT[question]}`]);
    expect(alone).toBeLessThan(ANSWERED_THRESHOLD);
    expect(right).toBeGreaterThan(alone);
  });

  it('counts a place that is nowhere around the answer against it', () => {
    const text = 'The ticket office at Easthaven is run by Ada Lind. It opens at nine and closes at six on weekdays.';
    const of = (place: string): number => answered(`Who runs the ticket office at ${place}?`, [...HANDBOOK, text]);
    expect(of('Norwick')).toBeLessThan(of('Easthaven') - 0.05);
  });
});
