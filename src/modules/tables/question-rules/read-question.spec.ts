import { describe, expect, it } from 'vitest';
import { probeStatement } from './probe-values.js';
import { rankTables } from './rank-tables.js';
import { LEAST_CONFIDENCE, readQuestion } from './read-question.js';
import type { FoundValue, QuestionColumn, QuestionTable } from './question-table.js';

const column = (label: string, given: Partial<QuestionColumn>): QuestionColumn => ({
  name: label.toLowerCase().replaceAll(' ', '_'),
  label,
  type: 'text',
  unit: null,
  nullable: false,
  distinct: 12,
  min: null,
  max: null,
  ...given,
});

const BRIDGES: QuestionTable = {
  name: 'bridges',
  title: 'bridges.csv',
  rowCount: 12,
  hasTotals: true,
  columns: [
    column('Bridge', {}),
    column('River', { distinct: 3 }),
    column('Length', { type: 'number', unit: 'm', min: 40, max: 900 }),
    column('Opened', { type: 'date', min: '1901-05-01', max: '1999-07-01' }),
    column('Architect', { nullable: true, distinct: 5 }),
    column('Toll', { type: 'boolean', distinct: 2 }),
  ],
};
const FOUND: FoundValue[] = [
  { column: 'bridge', value: 'Mill Bridge' },
  { column: 'bridge', value: "King's Crossing" },
  { column: 'river', value: 'Elbe' },
  { column: 'river', value: 'Weser' },
  { column: 'architect', value: 'Ann Lee and Bo Fox' },
];

const sqlOf = (question: string): string | undefined => readQuestion(question, BRIDGES, FOUND)?.sql;

describe('a question over a table', () => {
  it.each([
    ['Which bridges cross the Elbe?', `SELECT bridge FROM bridges WHERE river = 'Elbe' AND NOT _total`],
    ['What is the length of Mill Bridge?', `SELECT length FROM bridges WHERE bridge = 'Mill Bridge'`],
    ['What is the length of Mil Bridge?', `WHERE bridge = 'Mill Bridge'`],
    ['How many bridges are longer than 300 m?', `count(*) AS count FROM bridges WHERE length > 300`],
    ['How many bridges are not on the Elbe?', `WHERE river IS DISTINCT FROM 'Elbe'`],
    ['How many bridges have a length between 100 and 200?', `length BETWEEN 100 AND 200`],
    ['Which bridges were opened before 1950?', `year(opened) < 1950`],
    ['How many bridges were opened in May 1901?', `opened BETWEEN '1901-05-01' AND '1901-05-31'`],
    ['Which bridge has the greatest length?', `ORDER BY length DESC, _row LIMIT 1`],
    ['Which are the three longest bridges?', `ORDER BY length DESC, _row LIMIT 3`],
    ['Which are the top 1000 bridges by length?', `ORDER BY length DESC, _row LIMIT 1000`],
    ['Which are the top 1,500 bridges by length?', `ORDER BY length DESC, _row LIMIT 1500`],
    ['Which are the top 1000000 bridges by length?', `ORDER BY length DESC, _row LIMIT 1000000`],
    ['Which was the longest bridge in 1950?', `year(opened) = 1950`],
    ['Which are the 5000 longest bridges?', `ORDER BY length DESC, _row LIMIT 5000`],
    [
      'What is the average length of bridges over the Weser?',
      `avg(length) AS avg_length FROM bridges WHERE river = 'Weser'`,
    ],
    ['What is the total length per river?', `SELECT river, sum(length) AS sum_length`],
    ['How many different rivers are there?', `count(DISTINCT river)`],
    ['Which river has the most bridges?', `GROUP BY river ORDER BY count(*) DESC`],
    ['How many bridges have no architect?', `architect IS NULL`],
    ['How many bridges did Bo Fox build as architect?', `architect = 'Ann Lee and Bo Fox'`],
    [
      'Which bridge is longer, Mill Bridge or King’s Crossing?',
      `(bridge = 'Mill Bridge' OR bridge = 'King''s Crossing')`,
    ],
    ['What is the difference in length between Mill Bridge and King’s Crossing?', `abs(sum(length) FILTER`],
    ['Which bridge is listed after Mill Bridge?', `_row > (SELECT max(_row) FROM bridges WHERE bridge = 'Mill Bridge'`],
    ['Which bridges have a toll?', `toll = true`],
    ['Which bridges were opened in the 1900s?', `opened BETWEEN '1900-01-01' AND '1999-12-31'`],
    [
      'Which bridges are longer than Mill Bridge?',
      `length > (SELECT max(length) FROM bridges WHERE bridge = 'Mill Bridge'`,
    ],
    ['Show the bridges and architects on the Elbe', `SELECT bridge, architect FROM bridges WHERE river = 'Elbe'`],
    ['How many bridges have no toll?', `count(*) AS count FROM bridges WHERE toll = false`],
    ['How long is Mill Bridge?', `SELECT length FROM bridges WHERE bridge = 'Mill Bridge'`],
    ['How many bridges are not on the Elbe or Weser?', `NOT coalesce(river IN ('Elbe', 'Weser'), false)`],
    ['List bridges ordered by length from longest to shortest', `ORDER BY length DESC`],
    ['What was the last bridge opened?', `ORDER BY opened DESC, _row DESC LIMIT 1`],
  ])('%s', (question, part) => {
    expect(sqlOf(question)).toContain(part);
    expect(readQuestion(question, BRIDGES, FOUND)!.confidence).toBeGreaterThanOrEqual(LEAST_CONFIDENCE);
  });

  it.each([
    'What is the meaning of life?',
    'Which ferry had the oldest captain in the harbour?',
    'What percentage of the budget went to painting?',
    'How many captains does Mill Bridge have?',
    'What is the phone number of Mill Bridge?',
    'Does the moon influence the tides of the river?',
  ])('that no column can answer is not sure: %s', (question) => {
    expect(readQuestion(question, BRIDGES, FOUND)?.confidence ?? 0).toBeLessThan(LEAST_CONFIDENCE);
  });

  it('keeps quotation marks of cells inside the literal', () => {
    const value = "x' OR 1=1; DROP TABLE bridges --";
    const found = [{ column: 'bridge', value }];
    const sql = readQuestion(`What is the length of ${value}?`, BRIDGES, found)?.sql;
    expect(sql).toContain("bridge = 'x'' OR 1=1; DROP TABLE bridges --'");
  });

  it('takes how often something happened for a count, and how often it happens for none', () => {
    expect(sqlOf('How often was a bridge opened before 1950?')).toContain('count(*)');
    for (const question of [
      'How often is Mill Bridge inspected?',
      'How often does Mill Bridge open?',
      'How often was Mill Bridge painted?',
    ])
      expect(sqlOf(question) ?? '').not.toContain('count(');
  });

  it('says what it assumes and what it does', () => {
    const reading = readQuestion('Which bridges cross the Elbe?', BRIDGES, FOUND)!;
    expect(reading.explanation).toBe('Shows “Bridge” in “bridges” where “River” is “Elbe”.');
    expect(reading.assumptions).toContain('Rows that sum up others are left out.');
    expect(reading.unexplained).toEqual(['cross']);
  });

  it.each([
    '',
    '???',
    'ß',
    '日本語の質問',
    'how many',
    'the '.repeat(300),
    "'".repeat(900),
    '9'.repeat(900),
    'a or '.repeat(200),
  ])('of odd words does not fail', (question) => {
    const reading = readQuestion(question, BRIDGES, FOUND);
    expect(reading?.confidence ?? 0).toBeLessThanOrEqual(1);
  });

  it('looks for its words in cells, as text', () => {
    const many = { ...BRIDGES, columns: [column('Bridge', { distinct: null })] };
    expect(probeStatement("How long is O'Hara (old)?", many)).toContain(
      "regexp_matches(strip_accents(lower(bridge)), '",
    );
    expect(probeStatement('the of?', many)).toBeUndefined();
    expect(probeStatement('anything', { ...BRIDGES, columns: [] })).toBeUndefined();
  });

  it('goes to the table that has its words', () => {
    const ships: QuestionTable = {
      ...BRIDGES,
      name: 'ships',
      title: 'Ships',
      columns: [column('Ship', {}), column('Captain', {})],
    };
    const sketches = [BRIDGES, ships].map((table) => ({ table, words: [] }));
    expect(rankTables('Who is the captain of the Argo?', sketches, 1)[0]!.table.name).toBe('ships');
  });
});

describe('a question over a table of what there is', () => {
  const STOCK: QuestionTable = {
    name: 'stock',
    title: 'stock.csv',
    rowCount: 6,
    hasTotals: false,
    columns: [
      column('Item', { distinct: 3 }),
      column('Practice', { distinct: 2 }),
      column('Quantity', { type: 'integer', min: 6, max: 400, distinct: 6 }),
      column('Minimum', { type: 'integer', min: 10, max: 200, distinct: 3 }),
      column('Unit price', { type: 'number', min: 0.12, max: 31.5, distinct: 3 }),
    ],
  };
  const found: FoundValue[] = [
    { column: 'item', value: 'Masks' },
    { column: 'item', value: 'Gloves M' },
    { column: 'practice', value: 'Larkfield' },
  ];

  it.each([
    ['How many masks do we have in total?', `SELECT sum(quantity) AS sum_quantity FROM stock WHERE item = 'Masks'`],
    [
      'How many masks are there in Larkfield?',
      `sum(quantity) AS sum_quantity FROM stock WHERE item = 'Masks' AND practice = 'Larkfield'`,
    ],
    [
      'How many gloves M do we have per practice?',
      `SELECT practice, sum(quantity) AS sum_quantity FROM stock WHERE item = 'Gloves M'`,
    ],
    ['How many different items are there?', 'count(DISTINCT item)'],
    ['Which items are below their minimum?', 'SELECT item FROM stock WHERE quantity < minimum'],
    ['Which items are not below the minimum?', 'WHERE quantity >= minimum'],
    [
      'Which items in Larkfield have a quantity of less than the minimum?',
      `practice = 'Larkfield' AND quantity < minimum`,
    ],
    ['Which items have a quantity above their minimum?', 'WHERE quantity > minimum'],
    ['How many items are under the minimum?', 'FROM stock WHERE quantity < minimum'],
  ])('%s', (question, sql) => {
    const read = readQuestion(question, STOCK, found);
    expect(read?.sql).toContain(sql);
    expect(read?.open).toEqual([]);
    expect(read?.confidence).toBeGreaterThanOrEqual(LEAST_CONFIDENCE);
  });

  it.each(['Which items are under their unit price?', 'Which items are over the stock value?'])(
    'compares nothing that is no bound of another: %s',
    (question) => {
      const value = column('Stock value', { type: 'number', min: 1, max: 900 });
      const table = { ...STOCK, columns: [...STOCK.columns.filter(({ label }) => label !== 'Minimum'), value] };
      const read = readQuestion(question, table, found);
      expect(read === undefined || read.open.length > 0 || read.confidence < LEAST_CONFIDENCE).toBe(true);
    },
  );

  it('takes the dates of trips for no age of vehicles', () => {
    const trips: QuestionTable = {
      name: 'trips',
      title: 'trips.csv',
      rowCount: 9,
      hasTotals: false,
      columns: [
        column('Date', { type: 'date', distinct: 9, min: '2026-09-01', max: '2026-09-11' }),
        column('Driver', { distinct: 4 }),
        column('Vehicle', { distinct: 4 }),
        column('Kilometres', { type: 'number', distinct: 9, min: 148, max: 502 }),
        column('Fuel (litres)', { type: 'number', distinct: 9, min: 11, max: 61 }),
      ],
    };
    const cells = [{ column: 'driver', value: 'Tom Baird' }];
    expect(readQuestion('Which vehicle is the newest?', trips, [])).toBeUndefined();
    expect(readQuestion('Which trip was the longest?', trips, [])?.sql).toContain('ORDER BY kilometres DESC');
    const fuel = readQuestion('How many litres of fuel did Tom Baird use?', trips, cells);
    expect(fuel).toMatchObject({ open: [], confidence: 0.9 });
    expect(fuel?.sql).toMatch(/^SELECT sum\("fuel/u);
  });

  it('finds the word for the rows before their header', () => {
    const rooms: QuestionTable = {
      name: 'conference_rooms',
      title: 'conference-rooms.csv',
      rowCount: 5,
      hasTotals: false,
      columns: [
        column('Room', { distinct: 5 }),
        column('Floor', { type: 'number', distinct: 4, min: 0, max: 3 }),
        column('Seats', { type: 'number', distinct: 5, min: 12, max: 120 }),
      ],
    };
    const most = readQuestion('Which conference room has the most seats?', rooms, []);
    expect(most).toMatchObject({ open: [], unexplained: [] });
    expect(most?.sql).toContain('ORDER BY seats DESC');
    expect(readQuestion('Which room is the largest?', rooms, [])?.sql).toContain('ORDER BY seats DESC');
  });

  it('adds up nothing where two columns say how many there are', () => {
    const two = { ...STOCK, columns: [...STOCK.columns, column('Units', { type: 'integer', min: 1, max: 9 })] };
    expect(readQuestion('How many masks do we have?', two, found)?.kind).not.toBe('measure');
  });
});
