import { describe, expect, it } from 'vitest';
import { isAboutTable } from '../is-about-table.js';
import { frameInEnglish } from '../languages/frame-in-english.js';
import type { FoundValue, QuestionColumn, QuestionTable } from '../question-table.js';
import { LEAST_CONFIDENCE, readQuestion, type Reading } from '../read-question.js';

const column = (label: string, given: Partial<QuestionColumn> = {}): QuestionColumn => ({
  name: label
    .toLowerCase()
    .replaceAll(/[^a-zäöüß0-9]+/g, '_')
    .replaceAll(/_$/g, ''),
  label,
  type: 'text',
  unit: null,
  nullable: false,
  distinct: 5,
  min: null,
  max: null,
  ...given,
});
const amount = (label: string, given: Partial<QuestionColumn> = {}): QuestionColumn =>
  column(label, { type: 'number', min: 3, max: 640.5, distinct: 9, ...given });

function readingOf(question: string, table: QuestionTable, found: readonly FoundValue[]): Reading | undefined {
  const asked = frameInEnglish(question);
  const read = readQuestion(asked, table, found);
  if (read === undefined || read.open.length > 0 || read.confidence < LEAST_CONFIDENCE) return undefined;
  return isAboutTable(asked, read.query) ? read : undefined;
}

const ROTA: QuestionTable = {
  name: 'standby_rota_2026',
  title: 'standby-rota-2026.csv',
  rowCount: 12,
  hasTotals: false,
  columns: [
    column('week_start', { type: 'date', distinct: 12, min: '2026-01-05', max: '2026-03-23' }),
    column('lead_station', { distinct: 3 }),
    column('engineer', { distinct: 4 }),
    amount('standdowns', { type: 'integer', nullable: true }),
  ],
};
const ON_ROTA: FoundValue[] = [
  { column: 'lead_station', value: 'Holm' },
  { column: 'engineer', value: 'Ada Bell' },
];

describe('a question over a rota', () => {
  it.each([
    ['How many stand-downs are entered in the stand-by rota altogether?', `SELECT sum(standdowns) AS`],
    ['How many stand-downs are there in total?', `SELECT sum(standdowns) AS`],
    ['How many standdowns are noted in the rota for Holm?', `WHERE lead_station = 'Holm'`],
    ['Which engineer is on duty in the most weeks of the rota?', undefined],
    ['Which engineer has the most weeks in the rota?', `GROUP BY engineer ORDER BY count(*) DESC`],
  ])('%s', (question, sql) => {
    const read = readingOf(question, ROTA, ON_ROTA);
    if (sql === undefined) expect(read).toBeUndefined();
    else expect(read?.sql).toContain(sql);
  });

  it('is sure of a group that a word for the rows counts', () => {
    expect(readingOf('Which engineer has the most weeks in the rota?', ROTA, ON_ROTA)?.confidence).toBeGreaterThan(
      0.85,
    );
  });

  it.each([
    'How many stand-downs are entered in the accident book altogether?',
    'How many stand-downs were entered in Leeds?',
    'How many call-backs are entered in the stand-by rota?',
    'In which week of February 2026 is she the engineer?',
    'In which weeks did he lead at Holm?',
    'Which engineer is at Holm, and when is the meeting?',
    'Which engineers are at Holm, and why?',
  ])('is refused where a word has no place: %s', (question) => {
    expect(readingOf(question, ROTA, ON_ROTA)).toBeUndefined();
  });
});

const LOG: QuestionTable = {
  name: 'boat_log',
  title: 'boat-log.xlsx',
  rowCount: 12,
  hasTotals: false,
  columns: [
    column('Asset no.', { distinct: 12 }),
    column('Location', { distinct: 3 }),
    column('Equipment', { distinct: 8 }),
    column('Last check', { type: 'date', min: '2026-01-05', max: '2026-09-30', distinct: 12 }),
    amount('Cost', { unit: 'EUR' }),
    amount('Days out of water', { type: 'integer' }),
    column('Status', { distinct: 3 }),
  ],
};
const IN_LOG: FoundValue[] = [
  { column: 'location', value: 'Oban' },
  { column: 'equipment', value: 'Life raft' },
  { column: 'status', value: 'overdue' },
];

describe('a question over a log', () => {
  it.each([
    [
      'What did the last checks of the equipment at Oban cost in total?',
      `SELECT sum(cost) AS sum_cost FROM boat_log WHERE location = 'Oban'`,
    ],
    ['What did the life raft cost?', `SELECT sum(cost) AS sum_cost FROM boat_log WHERE equipment = 'Life raft'`],
    ['Which piece of equipment has the status overdue?', `SELECT equipment FROM boat_log WHERE status = 'overdue'`],
    [
      'Which piece of equipment has the status overdue, and where is it?',
      `SELECT equipment, location FROM boat_log WHERE status = 'overdue'`,
    ],
    ['Which equipment kept a crew out of water for the highest number of days?', undefined],
  ])('%s', (question, sql) => {
    const read = readingOf(question, LOG, IN_LOG);
    if (sql === undefined) expect(read).toBeUndefined();
    else expect(read?.sql).toContain(sql);
  });

  it.each([
    'What did the last check at Oban cost?',
    'What did the first checks at Oban cost in total?',
    'What did the last checks by Ruiz cost in total at Oban?',
    'Which piece of paper has the status overdue?',
    'Which piece of equipment has the status overdue, and who repairs it?',
    'Which equipment has the status overdue, and where is the key?',
  ])('is refused where a word has no place: %s', (question) => {
    expect(readingOf(question, LOG, IN_LOG)).toBeUndefined();
  });

  it('counts rows by a German plural of their header', () => {
    const machines: QuestionTable = {
      ...LOG,
      columns: [
        column('Nr.', { distinct: 12 }),
        column('Pumpe', { distinct: 11 }),
        column('Zuständig', { distinct: 4 }),
      ],
    };
    const found = [{ column: 'zuständig', value: 'Jana Wolf' }];
    expect(readingOf('Für wie viele Pumpen ist Jana Wolf zuständig?', machines, found)?.sql).toContain('count(*)');
    expect(readingOf('Für wie viele Filter ist Jana Wolf zuständig?', machines, found)).toBeUndefined();
  });
});

const PRICES: QuestionTable = {
  name: 'hut_prices_2026',
  title: 'hut-prices-2026.xlsx',
  rowCount: 9,
  hasTotals: false,
  columns: [
    column('Item', { distinct: 9 }),
    column('Unit', { distinct: 3 }),
    amount('Winter Nov-Mar (€)', { unit: '€', name: 'winter' }),
    amount('Summer Apr–Oct (€)', { unit: '€', name: 'summer' }),
  ],
};
const PRICED: FoundValue[] = [
  { column: 'item', value: 'Hut, small (2 beds)' },
  { column: 'item', value: 'Hut, large (6 beds)' },
  { column: 'item', value: 'Sauna' },
  { column: 'unit', value: 'night' },
  { column: 'unit', value: 'Nacht' },
];

describe('a question over a price list for seasons', () => {
  it.each([
    ['What does the sauna cost in July?', `SELECT summer FROM hut_prices_2026 WHERE item = 'Sauna'`],
    ['How much is the sauna in December?', `SELECT winter FROM`],
    ['What does the sauna cost on 24 December?', `SELECT winter FROM`],
    ['What does the sauna cost in July 2026?', `SELECT summer FROM`],
    [
      'What does a night in the small hut cost in May?',
      `SELECT summer FROM hut_prices_2026 WHERE unit = 'night' AND item = 'Hut, small (2 beds)'`,
    ],
    ['What does a night cost in May?', `SELECT item, summer FROM hut_prices_2026 WHERE unit = 'night'`],
    ['Was kostet die Sauna im März?', `SELECT winter FROM`],
    ['Combien coûte la sauna en août ?', `SELECT summer FROM`],
  ])('%s', (question, sql) => {
    expect(readingOf(question, PRICES, PRICED)?.sql).toContain(sql);
  });

  it('says which season is meant', () => {
    expect(readingOf('How much is the sauna in May?', PRICES, PRICED)?.assumptions).toContain(
      '“May” is taken for “Summer Apr–Oct (€)”.',
    );
  });

  it.each([
    'What does the sauna cost in July 2027?',
    'What does the sauna cost from July to September?',
    'What does the sauna cost in March and April?',
    'What does the sauna cost from May?',
    'What does the sauna cost in winter in July?',
    'What does the sauna cost in July for children?',
    'What does the tent cost in July?',
    'What does the sauna not cost in July?',
  ])('is refused where a word has no place: %s', (question) => {
    expect(readingOf(question, PRICES, PRICED)).toBeUndefined();
  });

  it('chooses no season whose months are not whole, or that two headers have', () => {
    const [item, unit] = PRICES.columns;
    const days = [amount('1.11.-15.3. Nov-Mar', { name: 'a' }), amount('16.3.-31.10. Mar-Oct', { name: 'b' })];
    const both = [amount('Nov-Mar', { name: 'a' }), amount('Mar-Oct', { name: 'b' })];
    for (const seasons of [days, both]) {
      const table = { ...PRICES, columns: [item!, unit!, ...seasons] };
      expect(readingOf('What does the sauna cost in March?', table, PRICED)).toBeUndefined();
    }
  });
});

const FLEET: QuestionTable = {
  name: 'fuhrpark',
  title: 'fuhrpark.csv',
  rowCount: 12,
  hasTotals: false,
  columns: [
    column('Inventar-Nr.', { distinct: 12 }),
    column('Fahrzeug', { distinct: 11 }),
    column('Standort', { distinct: 2 }),
    column('Baujahr', { type: 'integer', min: 2004, max: 2021, distinct: 9 }),
    column('Intervall Monate', { type: 'integer', min: 3, max: 24, distinct: 4 }),
    column('Letzte Wartung', { type: 'date', min: '2025-01-02', max: '2025-11-30', distinct: 12 }),
    amount('Wartungskosten EUR'),
  ],
};
const IN_FLEET: FoundValue[] = [
  { column: 'fahrzeug', value: 'Bagger' },
  { column: 'standort', value: 'Lünen' },
];

describe('a question over a list of what is maintained', () => {
  it.each([
    [
      'Wie viel kostet die Wartung aller Fahrzeuge in Lünen zusammen?',
      `SELECT sum(wartungskosten_eur) AS sum_wartungskosten_eur FROM fuhrpark WHERE standort = 'Lünen'`,
    ],
    [
      'Wie viel kostet die Wartung aller Fahrzeuge insgesamt?',
      `sum(wartungskosten_eur) AS sum_wartungskosten_eur FROM fuhrpark`,
    ],
    ['Welche Fahrzeuge müssen alle sechs Monate gewartet werden?', `WHERE intervall_monate = 6`],
    ['Welche Fahrzeuge müssen alle zwei Jahre gewartet werden?', `WHERE intervall_monate = 24`],
    ['Which Fahrzeug has to be serviced every 3 months?', `WHERE intervall_monate = 3`],
    [
      'Quel est le véhicule le plus ancien du parc ?',
      `SELECT fahrzeug FROM fuhrpark WHERE baujahr IS NOT NULL ORDER BY baujahr, _row LIMIT 1`,
    ],
    ['Welches Fahrzeug ist das älteste im Fuhrpark?', `ORDER BY baujahr, _row LIMIT 1`],
    ['Auf welchem Standort steht der Bagger?', `SELECT standort FROM fuhrpark WHERE fahrzeug = 'Bagger'`],
  ])('%s', (question, sql) => {
    expect(readingOf(question, FLEET, IN_FLEET)?.sql).toContain(sql);
  });

  it.each([
    'Wie viel kostet die Reparatur aller Fahrzeuge in Lünen zusammen?',
    'Wie viel kostet die Wartung aller Fahrzeuge in Bonn zusammen?',
    'Wie viel kostet die Wartung aller Fahrzeuge im Jahr 2019 zusammen?',
    'Wie viel kostet die Wartung der Kräne in Lünen zusammen?',
    'Wie viel kosten alle Fahrzeuge zusammen?',
    'Welche Fahrzeuge müssen alle sechs Wochen gewartet werden?',
    'Welche Fahrzeuge müssen alle Monate gewartet werden?',
    'Welche Fahrzeuge wurden 2024 nicht gewartet?',
    'Welches ist das billigste Fahrzeug?',
    'Quel est le véhicule le plus ancien du bureau ?',
  ])('is refused where a word has no place: %s', (question) => {
    expect(readingOf(question, FLEET, IN_FLEET)).toBeUndefined();
  });
});

const RATES: QuestionTable = {
  name: 'saetze',
  title: 'Sätze 2026',
  rowCount: 4,
  hasTotals: false,
  columns: [
    column('Art.-Nr.', { distinct: 4, name: 'art_nr' }),
    column('Gruppe', { distinct: 4 }),
    amount('Lünen €/h', { name: 'luenen_h' }),
    column('Graz €/h', { name: 'graz_h', distinct: 4 }),
  ],
};
const IN_RATES: FoundValue[] = [
  { column: 'gruppe', value: 'Monteur' },
  { column: 'gruppe', value: 'Meister' },
  { column: 'gruppe', value: 'Fahrer' },
];

describe('a question over a price list with a column for each place', () => {
  it.each([
    ['Was kostet ein Monteur in Lünen?', `SELECT luenen_h FROM saetze WHERE gruppe = 'Monteur'`],
    ['Was kostet eine Monteurstunde in Graz?', `SELECT graz_h FROM saetze WHERE gruppe = 'Monteur'`],
    ['What does a Meister cost in Graz?', `SELECT graz_h FROM saetze WHERE gruppe = 'Meister'`],
    ['Combien coûte un Fahrer à Graz ?', `SELECT graz_h FROM saetze WHERE gruppe = 'Fahrer'`],
  ])('%s', (question, sql) => {
    expect(readingOf(question, RATES, IN_RATES)?.sql).toContain(sql);
  });

  it.each([
    'Was kostet eine Monteurstunde in Bonn?',
    'Was kostet eine Monteurstunde in Graz am Samstag?',
    'Was kostet eine Malerstunde in Graz?',
    'Was kostet ein Monteurtag in Graz?',
    'What did a Meister cost in Graz in 2019?',
  ])('is refused where a word has no place: %s', (question) => {
    expect(readingOf(question, RATES, IN_RATES)).toBeUndefined();
  });

  it('tells the price of each place where the question names none', () => {
    const each = readingOf('Was kostet ein Monteur?', RATES, IN_RATES);
    expect(each?.sql).toContain(`SELECT gruppe, luenen_h, graz_h FROM saetze WHERE gruppe = 'Monteur'`);
    expect(readingOf('Was kostet eine Monteurstunde?', RATES, IN_RATES)?.sql).toBe(each?.sql);
    expect(readingOf('Was kostet ein Monteur in Bonn?', RATES, IN_RATES)).toBeUndefined();
    const costs = { ...RATES, columns: [...RATES.columns.slice(0, 3), amount('Rabatt €', { name: 'rabatt' })] };
    expect(readingOf('Was kostet ein Monteur?', costs, IN_RATES)).toBeUndefined();
  });

  it('takes no short word for another that differs in a letter', () => {
    const goods = { ...RATES, columns: [column('Item', { distinct: 4 }), amount('Price €', { name: 'price' })] };
    const found = [
      { column: 'item', value: 'Birch board' },
      { column: 'item', value: 'Larch board' },
    ];
    expect(readingOf('What does a birch board cost?', goods, found)?.sql).toContain(`'Birch board'`);
    expect(readingOf('What does a perch board cost?', goods, found)).toBeUndefined();
    const oak = [{ column: 'item', value: 'Eiche roh' }];
    expect(readingOf('Was kostet Eiche roh?', goods, oak)?.sql).toContain(`'Eiche roh'`);
    expect(readingOf('Was kostet Esche roh?', goods, oak)).toBeUndefined();
  });
});

it('takes the year that every row has for no condition', () => {
  const fairs: QuestionTable = {
    ...ROTA,
    name: 'fairs',
    title: 'fairs.html',
    rowCount: 3,
    columns: [column('Fair', { distinct: 3 }), column('Dates', { distinct: 3 })],
  };
  const in2025 = ['4–7 May 2025', '9–11 June 2025', '1–3 July 2025'].map((value) => ({ column: 'dates', value }));
  expect(readingOf('How many fairs do we have in 2025?', fairs, in2025)?.sql).toBe(
    'SELECT count(*) AS count FROM fairs',
  );
  expect(readingOf('How many fairs do we have in 2026?', fairs, in2025)).toBeUndefined();
  expect(readingOf('How many fairs do we have in 2025?', fairs, in2025.slice(1))?.sql).toContain('WHERE dates IN (');
});

describe('a question when something is open', () => {
  const HOURS: QuestionTable = {
    ...ROTA,
    name: 'opening_hours_2',
    title: 'Lerwick (branch)',
    rowCount: 3,
    columns: [column('Day', { distinct: 3 }), column('Hours', { distinct: 3 })],
  };
  const days = ['Monday to Friday', 'Saturday', 'Sunday'].map((value) => ({ column: 'day', value }));

  it.each([
    ['When is Lerwick open on Saturday?', `SELECT hours FROM opening_hours_2 WHERE day = 'Saturday'`],
    ['What are the opening hours of the Lerwick library on Sunday?', `WHERE day = 'Sunday'`],
    ['Wann ist Lerwick am Saturday geöffnet?', `WHERE day = 'Saturday'`],
  ])('%s', (question, sql) => {
    const read = readingOf(question, HOURS, days);
    expect(read?.sql).toContain(sql);
    expect(read?.unexplained).toEqual([]);
  });

  it.each([
    'When is Oban open on Saturday?',
    'When is the Oban library open on Saturday?',
    'When is Lerwick not open on Saturday?',
    'When is Lerwick open on Saturday, 26 December?',
    'When is Lerwick open on Saturday in July?',
    'When is Lerwick open on Wednesday?',
  ])('is refused where a word has no place: %s', (question) => {
    expect(readingOf(question, HOURS, days)).toBeUndefined();
  });
});

describe('a question over rows that have a start and an end', () => {
  const STAYS: QuestionTable = {
    ...ROTA,
    columns: [
      column('Starts on', { type: 'date', distinct: 12, min: '2026-10-05', max: '2026-12-28' }),
      column('Ends on', { type: 'date', distinct: 12, min: '2026-10-11', max: '2027-01-03' }),
      ...ROTA.columns.slice(1),
    ],
  };
  const within = (day: string): string => `WHERE starts_on <= '${day}' AND ends_on >= '${day}'`;

  it.each([
    ['Which engineer is on duty on 16 December 2026?', undefined],
    ['Which engineer is there on 16 December 2026?', within('2026-12-16')],
    ['Which engineer is there on 1 January?', within('2027-01-01')],
    ['How many stand-downs were there in the week of 19 October?', within('2026-10-19')],
    ['Which engineer was there in November?', `month(starts_on) = 11`],
  ])('%s', (question, sql) => {
    const read = readingOf(question, STAYS, ON_ROTA);
    if (sql === undefined) expect(read).toBeUndefined();
    else expect(read?.sql).toContain(sql);
  });

  it.each([
    'How many stand-downs were there on 20 October?',
    'Which engineer is there on 16 May?',
    'Which engineer is not there on 16 December?',
    'Which engineer is there on 16 December in Leeds?',
  ])('is refused where a word has no place: %s', (question) => {
    expect(readingOf(question, STAYS, ON_ROTA)).toBeUndefined();
  });
});

it('tells no price of one item for another', () => {
  expect(readingOf('What does a sauna for a large hut cost in May?', PRICES, PRICED)).toBeUndefined();
  expect(readingOf('What does the sauna and the large hut cost in May?', PRICES, PRICED)?.sql).toContain('IN (');
});
