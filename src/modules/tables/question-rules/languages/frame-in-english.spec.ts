import { describe, expect, it } from 'vitest';
import type { FoundValue, QuestionColumn, QuestionTable } from '../question-table.js';
import { TABLE_FIT } from '../calibration.js';
import { LEAST_CONFIDENCE, readQuestion } from '../read-question.js';
import { frameInEnglish } from './frame-in-english.js';

const column = (label: string, given: Partial<QuestionColumn> = {}): QuestionColumn => ({
  name: label.toLowerCase().replaceAll(' ', '_'),
  label,
  type: 'text',
  unit: null,
  nullable: false,
  distinct: 6,
  min: null,
  max: null,
  ...given,
});
const table = (title: string, columns: readonly QuestionColumn[]): QuestionTable => ({
  name: title,
  title: `${title}.csv`,
  rowCount: 6,
  hasTotals: false,
  columns,
});
const amount = (label: string): QuestionColumn => column(label, { type: 'number', unit: 'EUR', min: 90, max: 2100 });
const day = (label: string): QuestionColumn => column(label, { type: 'date', min: '2026-02-05', max: '2026-04-02' });
const PITCHES = table('stellplaetze', [column('Stellplatz'), amount('Monatspreis'), amount('Kaution')]);
const cells = (name: string, ...values: string[]): FoundValue[] => values.map((value) => ({ column: name, value }));

const RECHNUNGEN = table('rechnungen', [
  column('Rechnungsnr'),
  day('Datum'),
  column('Kunde', { distinct: 3 }),
  amount('Betrag'),
  column('Status', { distinct: 2 }),
]);
const GERMAN_CELLS = [...cells('kunde', 'Praxis Dr. Lange', 'Kita Sonnenhof'), ...cells('status', 'offen', 'bezahlt')];
const FACTURES = table('factures', [
  column('Facture'),
  day('Date'),
  column('Client', { distinct: 3 }),
  amount('Montant'),
]);
const FACTURAS = table('facturas', [
  column('Factura'),
  day('Fecha'),
  column('Cliente', { distinct: 3 }),
  amount('Importe'),
]);

const number = (label: string, given: Partial<QuestionColumn> = {}): QuestionColumn =>
  column(label, { type: 'number', min: 1, max: 300, ...given });
const ROOMS = table('zimmerpreise', [
  column('Zimmerart'),
  number('Anzahl'),
  number('Größe'),
  number('Preis'),
  column('Aussicht', { distinct: 4 }),
]);
const VEHICLES = table('fuhrpark', [
  column('Kennzeichen'),
  column('Modell'),
  column('Baujahr', { type: 'integer', min: 2018, max: 2024 }),
  number('Kilometerstand'),
  column('Standort', { distinct: 3 }),
]);
const TREATMENTS = table('soins', [column('Soin'), number('Durée'), number('Prix')]);

describe('a question over a table in another language than English', () => {
  it.each([
    [
      'Wie hoch ist die Summe der Rechnungen im März?',
      'sum(betrag) AS sum_betrag FROM rechnungen WHERE month(datum) = 3',
    ],
    [
      'Wie hoch ist der gesamte Betrag der Rechnungen im März?',
      'sum(betrag) AS sum_betrag FROM rechnungen WHERE month(datum) = 3',
    ],
    ['Gesamtbetrag der Rechnungen im Februar?', 'sum(betrag) AS sum_betrag FROM rechnungen WHERE month(datum) = 2'],
    ['Was ist die Summe aller offenen Rechnungen?', `sum(betrag) AS sum_betrag FROM rechnungen WHERE status = 'offen'`],
    ['Summe der Rechnungen der Praxis Dr. Lange', `WHERE kunde = 'Praxis Dr. Lange'`],
    ['Wie viele Rechnungen sind offen?', `count(*) AS count FROM rechnungen WHERE status = 'offen'`],
    ['Wie viele Rechnungen sind nicht bezahlt?', `WHERE status IS DISTINCT FROM 'bezahlt'`],
    ['Was ist der durchschnittliche Betrag der Rechnungen seit März 2026?', 'avg(betrag)'],
    ['Wie viele Rechnungen mit einem Betrag über 1.000,50 Euro gibt es?', 'WHERE betrag > 1000.5'],
    ['Welche Rechnung hat den höchsten Betrag?', 'ORDER BY betrag DESC'],
  ])('reads “%s”', (question, sql) => {
    const reading = readQuestion(frameInEnglish(question), RECHNUNGEN, GERMAN_CELLS);
    expect(reading?.sql).toContain(sql);
    expect(reading?.open).toEqual([]);
    expect(reading?.confidence).toBeGreaterThanOrEqual(LEAST_CONFIDENCE);
  });

  it.each([
    [
      'Quel est le montant total des factures de mars ?',
      FACTURES,
      'sum(montant) AS sum_montant FROM factures WHERE month(date) = 3',
    ],
    ['Combien de factures y a-t-il ?', FACTURES, 'count(*) AS count FROM factures'],
    [
      '¿Cuál es la suma de las facturas de marzo?',
      FACTURAS,
      'sum(importe) AS sum_importe FROM facturas WHERE month(fecha) = 3',
    ],
    ['¿Cuántas facturas hay en abril?', FACTURAS, 'WHERE month(fecha) = 4'],
  ])('reads “%s”', (question, asked, sql) => {
    const reading = readQuestion(frameInEnglish(question), asked, []);
    expect(reading?.sql).toContain(sql);
    expect(reading?.open).toEqual([]);
  });

  it.each([
    ['Welches Zimmer ist am teuersten?', ROOMS, 'SELECT zimmerart', 'ORDER BY preis DESC'],
    ['Welches ist das kleinste Zimmer?', ROOMS, 'SELECT zimmerart', 'BY "größe", _row'],
    ['Welches Fahrzeug hat den höchsten Kilometerstand?', VEHICLES, 'SELECT kennzeichen', 'BY kilometerstand DESC'],
    ['Welches ist das älteste Fahrzeug?', VEHICLES, 'SELECT kennzeichen', 'ORDER BY baujahr, _row'],
    ['Which vehicle is the newest?', VEHICLES, 'SELECT kennzeichen', 'ORDER BY baujahr DESC'],
    ['Quel soin est le plus cher ?', TREATMENTS, 'SELECT soin', 'ORDER BY prix DESC'],
    ['Quel est le soin le plus court ?', TREATMENTS, 'SELECT soin', 'BY "durée", _row'],
    ['Quel est le soin le moins cher ?', TREATMENTS, 'SELECT soin', 'ORDER BY prix, _row'],
    ['Welcher Stellplatz ist am billigsten?', PITCHES, 'SELECT stellplatz', 'ORDER BY monatspreis, _row'],
  ])('reads the superlative of “%s” wherever the adjective stands', (question, asked, select, order) => {
    const reading = readQuestion(frameInEnglish(question), asked, []);
    expect(reading?.sql).toContain(select);
    expect(reading?.sql).toContain(order);
    expect(reading?.open).toEqual([]);
    expect(reading?.confidence).toBeGreaterThanOrEqual(TABLE_FIT);
    expect(reading?.anchors).toBeGreaterThan(0);
  });

  it('reads a place by a verb of the language', () => {
    const reading = readQuestion(
      frameInEnglish('Welche Fahrzeuge stehen in Hamburg?'),
      VEHICLES,
      cells('standort', 'Hamburg'),
    );
    expect(reading?.sql).toContain(`SELECT kennzeichen FROM fuhrpark WHERE standort = 'Hamburg'`);
    expect(reading?.open).toEqual([]);
  });

  it('reads when something runs', () => {
    const concerts = table('konzerte', [day('Datum'), column('Titel')]);
    const reading = readQuestion(frameInEnglish('Wann läuft Undine?'), concerts, cells('titel', 'Undine'));
    expect(reading?.sql).toContain(`SELECT datum FROM konzerte WHERE titel = 'Undine'`);
    expect(reading?.open).toEqual([]);
    expect(readQuestion(frameInEnglish('Wann läuft Undine ab?'), concerts, cells('titel', 'Undine'))?.open).toEqual([
      'ab',
    ]);
  });

  it('counts no rows where each row is a kind of what is counted', () => {
    expect(readQuestion(frameInEnglish('Wie viele Zimmer gibt es?'), ROOMS, [])?.open).toEqual(['zimmer']);
  });

  it.each([
    ['Wie hoch ist die Summe der Rechnungen nach Ostern?', 'nach ostern'],
    ['Wie viele stornierte Rechnungen sind offen?', 'stornierte'],
  ])('refuses “%s”: what is no word of the table has no place', (question, open) => {
    expect(readQuestion(frameInEnglish(question), RECHNUNGEN, GERMAN_CELLS)?.open).toEqual([open]);
  });

  it.each([
    'What is the total of the invoices in March?',
    'How many invoices of die Kita Sonnenhof are there?',
    'Сколько счетов открыто?',
    'Kita Sonnenhof',
  ])('leaves “%s” as it is', (question) => {
    expect(frameInEnglish(question)).toBe(question);
  });
});
