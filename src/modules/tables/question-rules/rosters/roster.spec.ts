import { describe, expect, it } from 'vitest';
import { frameInEnglish } from '../languages/frame-in-english.js';
import type { FoundValue, QuestionColumn, QuestionTable } from '../question-table.js';
import { LEAST_CONFIDENCE, readQuestion } from '../read-question.js';

const column = (label: string, name: string, distinct = 4): QuestionColumn => ({
  name,
  label,
  type: 'text',
  unit: null,
  nullable: false,
  distinct,
  min: null,
  max: null,
});

const table = (title: string, subject: string, heads: readonly string[]): QuestionTable => ({
  name: title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_'),
  title,
  rowCount: 6,
  hasTotals: false,
  columns: [column(subject, 'who', 6), ...heads.map((head, index) => column(head, `d${index + 1}`))],
});

const cells = (states: readonly string[], names: readonly string[], days: number): FoundValue[] => [
  ...names.map((value) => ({ column: 'who', value })),
  ...Array.from({ length: days }, (_, index) => states.map((value) => ({ column: `d${index + 1}`, value }))).flat(),
];

/** The statement, where the question is answered. */
function sqlOf(question: string, over: QuestionTable, found: readonly FoundValue[]): string | undefined {
  const read = readQuestion(frameInEnglish(question), over, found);
  return read === undefined || read.open.length > 0 || read.confidence < LEAST_CONFIDENCE ? undefined : read.sql;
}

describe('a question over a roster with a column for each day', () => {
  const WARD = table('Ward 4, March 2026', 'Nurse', ['Mon 2', 'Tue 3', 'Wed 4', 'Thu 5', 'Fri 6', 'Sat 7', 'Sun 8']);
  const ward = cells(['Day', 'Night', 'Off', 'Annual leave'], ['Ada Kerr', 'Bo Lund', 'Tim Night'], 7);

  it.each([
    ['Who is on nights on Tuesday 3 March?', `SELECT who FROM ward_4_march_2026 WHERE d2 = 'Night'`],
    ['Who has the night shift on 3 March 2026?', `WHERE d2 = 'Night'`],
    ['Who has the day off on Wednesday?', `WHERE d3 = 'Off'`],
    ['Who is on days on Wednesday?', `WHERE d3 = 'Day'`],
    ['Who is on annual leave on March 5?', `WHERE d4 = 'Annual leave'`],
    ['Who is not off on Saturday the 7th of March?', `WHERE d6 IS DISTINCT FROM 'Off'`],
    ['How many people are off on Sunday?', `SELECT count(*) AS count FROM ward_4_march_2026 WHERE d7 = 'Off'`],
    ['Is Ada working on Friday?', `SELECT d5 FROM ward_4_march_2026 WHERE who = 'Ada Kerr'`],
    ['Which shift does Bo Lund have on Monday?', `SELECT d1 FROM ward_4_march_2026 WHERE who = 'Bo Lund'`],
    ['Is Bo off on 8 March?', `SELECT d7 FROM ward_4_march_2026 WHERE who = 'Bo Lund'`],
    ['Wer hat am 4. März frei?', `WHERE d3 = 'Off'`],
    ['Wer hat am Donnerstag Nachtdienst?', `WHERE d4 = 'Night'`],
    ['Qui est de nuit le mardi 3 mars ?', `WHERE d2 = 'Night'`],
    ['¿Quién tiene libre el domingo?', `WHERE d7 = 'Off'`],
  ])('%s', (question, sql) => {
    expect(sqlOf(question, WARD, ward)).toContain(sql);
  });

  it.each([
    'Who is on nights on Tuesday 4 March?',
    'Who is on nights on Tuesday 10 March?',
    'Who is on nights on 3 April?',
    'Who is on nights on 3 March 2025?',
    'Who is on nights on Tuesdays?',
    'Who is on nights every Tuesday?',
    'Who is on nights next Tuesday?',
    'Who is on nights this Tuesday?',
    'Who is on nights on Tuesday and Wednesday?',
    'Who is on nights from Tuesday to Thursday?',
    'Who is on nights after Tuesday?',
    'Who is on nights by Tuesday?',
    'Who is on nights on Tuesday morning?',
    'Who is on nights on Tuesday in ward 5?',
    'Who is on nights tomorrow?',
    'Who is on nights?',
    'Who is on the late shift on Tuesday?',
    'Who is working on Tuesday?',
    'Who is on nights with Bo on Tuesday?',
    'How many shifts does Ada Kerr have on Tuesday?',
    'How many shifts are there on Tuesday?',
    'Is Ada Kerr paid on Friday?',
    'Is Carla working on Friday?',
    'Wer hat am 4. April frei?',
    'Wer hat am Montag, dem 4. März frei?',
    'Wer hat nächsten Mittwoch frei?',
  ])('is refused where the day or the state is not one of it: %s', (question) => {
    expect(sqlOf(question, WARD, ward)).toBeUndefined();
  });

  it('says which column a weekday alone is taken for', () => {
    const weekday = readQuestion('Who is off on Friday?', WARD, ward);
    expect(weekday?.assumptions).toContain('“Friday” is taken for “Fri 6”.');
    expect(readQuestion('Who is off on 6 March?', WARD, ward)?.assumptions).not.toContain(
      '“6 March” is taken for “Fri 6”.',
    );
  });

  it('knows days by their short German names, and by numbers', () => {
    const week = table('Dienstplan KW 11', 'Name', ['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So']);
    const found = cells(['Früh', 'Spät', 'frei'], ['Jana Ott', 'Emil Roth'], 7);
    expect(sqlOf('Wer hat am Freitag frei?', week, found)).toContain(`WHERE d5 = 'frei'`);
    expect(sqlOf('Wer arbeitet am Samstag spät?', week, found)).toContain(`WHERE d6 = 'Spät'`);
    expect(sqlOf('Hat Jana am Sonntag Frühdienst?', week, found)).toContain(`SELECT d7 FROM`);
    expect(sqlOf('Who is off on Mondays?', week, found)).toContain(`WHERE d1 = 'frei'`);
    // Of which week the days are is not known.
    expect(sqlOf('Wer hat am Freitag, dem 13. März frei?', week, found)).toBeUndefined();

    const dates = table('Kasse', 'Name', ['09.03.', '10.03.', '11.03.']);
    const cash = cells(['A', 'Frei'], ['Jana Ott'], 3);
    expect(sqlOf('Wer hat am 10.03. frei?', dates, cash)).toContain(`WHERE d2 = 'Frei'`);
    expect(sqlOf('Who is off on 11 March?', dates, cash)).toContain(`WHERE d3 = 'Frei'`);
    expect(sqlOf('Wer hat am 10.04. frei?', dates, cash)).toBeUndefined();
    // Without a year no date has a weekday.
    expect(sqlOf('Wer hat am Dienstag frei?', dates, cash)).toBeUndefined();
    expect(sqlOf('Wer hat am 10.03.2026 frei?', dates, cash)).toBeUndefined();
  });

  it('reads two columns called like days as any others', () => {
    const two = table('Prices', 'Room', ['Friday', 'Saturday']);
    expect(readQuestion('What is the Saturday of Attic?', two, [{ column: 'who', value: 'Attic' }])?.sql).toContain(
      `SELECT d2 FROM prices WHERE who = 'Attic'`,
    );
  });
});
