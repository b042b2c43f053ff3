import { describe, expect, it } from 'vitest';
import { measureGrounding, SUPPORTED_SCORE } from './citations.js';
import { StatementJudge } from './statement-judge.js';

const DESK =
  'The lost property desk in Port Askerne keeps what was found for three months. It is open from 8:00 to 18:00, Monday to Friday. Mary Ashdown runs it.';
const HANDBOOK = [
  'Dogs are not allowed in the office. Guests must be registered two days before.',
  'The annual leave of full-time staff is 27 days. Requests go to the team lead by 15 March 2025.',
  'Smoking is prohibited in the warehouse. Bicycles may be parked in the yard.',
  'The first reminder costs 5 EUR, the second one costs 12.50 EUR. Orders over 1,000 EUR are delivered free of charge.',
].join(' ');
const OFFICE_DE =
  'Hunde sind im Büro nicht erlaubt. Die Kündigungsfrist beträgt drei Monate zum Ende des Quartals. Das Lager in Lindau ist montags bis freitags geöffnet. Frau Ebert leitet die Werkstatt. Die Prüfung findet im Mai statt.';

const scoreOf = (statement: string, text: string, question = ''): number =>
  new StatementJudge([{ number: 1, text, start: 0, documentId: 'd', title: 'handbook.md' }], question).score({
    kind: 'text',
    text: statement,
  });

describe('what says otherwise than its source', () => {
  it.each([
    ['a number in words', 'The lost property desk in Port Askerne keeps what was found for five months.', DESK],
    ['a number in digits', 'The annual leave of full-time staff is 31 days.', HANDBOOK],
    ['a place', 'The lost property desk in Holmsay keeps what was found for three months.', DESK],
    ['a place at the end', 'The desk for lost property keeps what was found for three months in Holmsay.', DESK],
    ['a person', 'The lost property desk in Port Askerne is open from 8:00 to 18:00, says Peter Ferry.', DESK],
    ['a person in the same place', 'Mary Tanner runs it.', DESK],
    ['a negation left out', 'Dogs are allowed in the office.', HANDBOOK],
    ['a negation put in', 'Bicycles may not be parked in the yard.', HANDBOOK],
    ['a prohibition turned', 'Smoking is allowed in the warehouse.', HANDBOOK],
    ['a unit of time', 'The lost property desk in Port Askerne keeps what was found for three weeks.', DESK],
    ['one of several', 'Guests must be registered one day before.', HANDBOOK],
    ['a number of something else', 'The annual leave of full-time staff is 15 days, by 15 March 2025.', HANDBOOK],
    [
      'the day of a date',
      'Staff receive 31 days of paid leave a year.',
      'Staff receive 27 days of paid leave a year. Five days may be carried over until 31 March.',
    ],
    ['what its numbers are about', 'Sandwiches sell from 8:00 to 18:00.', DESK],
    ['a currency', 'The first reminder costs 5 USD.', HANDBOOK],
    ['an ordinal', 'The third reminder costs 12.50 EUR.', HANDBOOK],
    ['a month', 'Requests go to the team lead by 15 May 2025.', HANDBOOK],
    ['a year', 'Requests go to the team lead by 15 March 2024.', HANDBOOK],
    ['a day of the week', 'It is open from 8:00 to 18:00 on Sunday.', DESK],
    ['a time', 'It is open from 8:00 to 20:00, Monday to Friday.', DESK],
    ['a German number', 'Die Kündigungsfrist beträgt sechs Monate zum Ende des Quartals.', OFFICE_DE],
    ['a German unit', 'Die Kündigungsfrist beträgt drei Wochen zum Ende des Quartals.', OFFICE_DE],
    ['a German negation', 'Hunde sind im Büro erlaubt.', OFFICE_DE],
    ['a German place', 'Das Lager in Bregenz ist montags bis freitags geöffnet.', OFFICE_DE],
    ['a German person', 'Frau Winter leitet die Werkstatt.', OFFICE_DE],
    ['a German month', 'Die Prüfung findet im März statt.', OFFICE_DE],
    ['a Spanish number', 'El plazo es de tres meses.', 'El plazo es de dos meses.'],
    ['a Chinese number', '员工每年有二十五天年假。', '员工每年有二十七天年假。'],
    ['a Chinese negation', '办公室里允许带狗。', '办公室里不允许带狗。'],
  ])('is not supported by the words that it shares: %s', (_what, statement, source) => {
    expect(scoreOf(statement, source)).toBeLessThan(SUPPORTED_SCORE);
    expect(measureGrounding(statement, [{ text: source }]).status).toBe('unsupported');
  });

  it.each([
    ['digits for words', 'The lost property desk keeps what was found for 3 months.', DESK],
    ['another form of the time', 'The desk is open from 8 am to 6 pm, Monday to Friday.', DESK],
    ['a day within a range', 'The desk is open on Tuesday from 8 to 18.', DESK],
    ['a name in another order', 'In Port Askerne the lost property desk keeps what was found for three months.', DESK],
    ['a name that stands beside', 'Mary Ashdown runs the lost property desk in Port Askerne.', DESK],
    ['the negation kept', 'No, dogs are not allowed in the office.', HANDBOOK],
    ['a prohibition in other words', 'Smoking is not allowed in the warehouse.', HANDBOOK],
    ['another form of a date', 'Requests go to the team lead by 2025-03-15.', HANDBOOK],
    ['a part', 'The second one costs 12.50 EUR.', HANDBOOK],
    ['another form of a price', 'The second one costs 12,50 EUR.', HANDBOOK],
    ['a thousand without its mark', 'Orders over 1000 EUR are delivered free of charge.', HANDBOOK],
    ['a sign for a currency', 'The service costs 12.50 EUR a month.', 'The service costs €12.50 a month.'],
    ['a form of address', 'The workshop is led by Ms Ashdown.', 'The workshop is led by Mary Ashdown.'],
    [
      'another verb at the beginning',
      'Notify Owen Pritchard of lost devices.',
      'Report lost devices to Owen Pritchard.',
    ],
    ['an ordinal as a number', 'Receipts are handed in by the 10th.', 'Receipts are handed in by the tenth.'],
    ['a word that is a number in another language', 'Das Lager ist dort montags bis freitags geöffnet.', OFFICE_DE],
    ['a Spanish number', 'El plazo es de 23 días.', 'El plazo es de veintitrés días.'],
    ['one of a range', 'Repairs take up to 5 days.', 'Repairs take 3 to 5 days.'],
    ['a written range', 'Repairs take at least 3 days.', 'Repairs take 3–5 days.'],
    [
      'a list',
      'In year one helpers earn 980 EUR, in year three 1,210 EUR.',
      'Helpers earn 980 EUR in the first year, in the third year 1,210 EUR.',
    ],
    ['the beginning of a range', 'Repairs take at least 3 days.', 'Repairs take 3 to 5 days.'],
    ['words for digits', 'The annual leave of full-time staff is twenty-seven days.', HANDBOOK],
    ['two hundred', 'Two hundred guests were registered.', 'In May 200 guests were registered.'],
    ['German digits', 'Die Kündigungsfrist beträgt 3 Monate zum Ende des Quartals.', OFFICE_DE],
    ['a German negation kept', 'Im Büro sind Hunde nicht erlaubt.', OFFICE_DE],
    ['a German month', 'Im Mai findet die Prüfung statt.', OFFICE_DE],
    ['a Chinese number in digits', '员工每年有27天年假。', '员工每年有二十七天年假。'],
    ['a German day', 'Das Lager in Lindau ist mittwochs geöffnet.', OFFICE_DE],
  ])('is what it says differently only: %s is supported', (_what, statement, source) => {
    expect(scoreOf(statement, source)).toBeGreaterThanOrEqual(SUPPORTED_SCORE);
  });

  it('takes a name of the title or of another source of the document, but not that of another document', () => {
    const source = { number: 1, start: 0, documentId: 'a', text: 'The desk is open from 8 to 18 on working days.' };
    const statement = { kind: 'text', text: 'The desk in Holmsay is open from 8 to 18 on working days.' } as const;
    const judge = (...more: object[]): number =>
      new StatementJudge([source, ...more.map((one) => ({ ...source, number: 2, start: 900, ...one }))], '').score(
        statement,
      );
    expect(judge()).toBeLessThan(SUPPORTED_SCORE);
    expect(judge({ text: 'Tickets of Holmsay are sold on board.', documentId: 'b' })).toBeLessThan(SUPPORTED_SCORE);
    expect(judge({ text: 'Holmsay has one office.' })).toBeGreaterThanOrEqual(SUPPORTED_SCORE);
    const titled = new StatementJudge([{ ...source, title: 'office-holmsay.md' }], '');
    expect(titled.score(statement)).toBeGreaterThanOrEqual(SUPPORTED_SCORE);
  });

  it('knows a name at the beginning of a sentence by the question', () => {
    const question = 'How long does the desk in Holmsay keep things?';
    const statement = 'Holmsay keeps what was found at its lost property desk for three months.';
    expect(scoreOf(statement, DESK, question)).toBeLessThan(SUPPORTED_SCORE);
  });

  it('tells the two halves of a rule apart', () => {
    const rule = 'Dogs are admitted on the outer decks, but cats are not admitted on the outer decks.';
    expect(scoreOf('Dogs are admitted on the outer decks.', rule)).toBeGreaterThanOrEqual(SUPPORTED_SCORE);
    expect(scoreOf('Cats are admitted on the outer decks.', rule)).toBeLessThan(SUPPORTED_SCORE);
    expect(scoreOf('Dogs are not admitted on the outer decks.', rule)).toBeLessThan(SUPPORTED_SCORE);
  });

  it('finds the numbers of a statement in a source of another language', () => {
    const judge = new StatementJudge([{ number: 1, start: 0, documentId: 'd', text: OFFICE_DE }], '');
    expect(judge.holdsNumbers('The period of notice is three months.', 1)).toBe(true);
    expect(judge.holdsNumbers('The period of notice is 3 months.', 1)).toBe(true);
    expect(judge.holdsNumbers('The period of notice is four months.', 1)).toBe(false);
    expect(judge.holdsNumbers('The exam is in May.', 1)).toBe(true);
    expect(judge.holdsNumbers('The exam is in June.', 1)).toBe(false);
    expect(judge.holdsNumbers('通知期为三个月。', 1)).toBe(true);
    expect(judge.holdsNumbers('通知期为五个月。', 1)).toBe(false);
  });

  it('takes a year for that of the heading above', () => {
    const text = '## Fares 2025\n\nA cabin costs 40 EUR a night.';
    expect(scoreOf('In 2025 a cabin costs 40 EUR a night.', text)).toBeGreaterThanOrEqual(SUPPORTED_SCORE);
    expect(scoreOf('In 2024 a cabin costs 40 EUR a night.', text)).toBeLessThan(SUPPORTED_SCORE);
  });
});
