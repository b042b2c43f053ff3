import { describe, expect, it } from 'vitest';
import { holdsSort } from './answer-sorts.js';
import { wantedSort } from './asked-sorts.js';

const NUMBERS = Array.from({ length: 60_000 }, (_, n) => n % 10).join(',');

describe('what a question asks for', () => {
  it.each([
    ['How high is the hotel allowance?', 'amount'],
    ['Wie hoch ist die Miete?', 'price'],
    ['Wie hoch ist die Mauer?', 'amount'],
    ['Wie viel wird gezahlt?', 'amount'],
    ['How many rooms are there?', 'count'],
    ['Wie viele Zimmer gibt es?', 'count'],
    ['How heavy may a parcel be?', 'weight'],
    ['Why was the pump changed?', 'reason'],
    ['Up to which amount may I buy without asking?', 'price'],
    ['Bis zu welchem Betrag darf ich bestellen?', 'price'],
    ['Which amount of water is used?', 'any'],
    ['How much is the fine for parking here?', 'price'],
  ])('%s', (question, sort) => {
    expect(wantedSort(question)).toBe(sort);
  });
});

it('a question that is said over and over is read once', () => {
  expect(wantedSort('how much is left '.repeat(8_000))).toBe('any');
});

describe('what a sentence holds', () => {
  it.each([
    ['amount', 'The hotel allowance is 120 euros a night.', true],
    ['count', 'The hotel allowance is 120 euros a night.', false],
    ['count', 'There are 12 rooms.', true],
    ['price', 'Electricity is not reimbursed.', true],
    ['price', 'Strom wird nicht erstattet.', true],
    ['price', 'Invoices are paid within 30 days.', false],
    ['price', 'Guests pay 30 a night.', true],
    ['price', 'Crowns last ten to fifteen years.', false],
    ['price', 'Kronen halten zehn Jahre.', false],
    ['price', 'Ein Pfund Kaffee reicht für sechzig Tassen.', false],
    ['price', 'A crown is 1,200 crowns.', true],
    ['price', 'Der Eintritt beträgt 120 Kronen.', true],
    ['price', 'Im zweiten Jahr erhalten sie 1.090 Pfund.', true],
    ['price', 'Im zweiten Jahr erhalten sie tausend Pfund.', true],
    ['phone', 'The office grants an extension: 12 months.', false],
    ['phone', 'Extension: 10 working days.', false],
    ['phone', 'The desk has extension 3030.', true],
    ['phone', 'Véase el anexo 12 del contrato.', false],
    ['phone', 'Recepción, teléfono central, anexo 1234.', true],
    ['weight', 'Parcels of up to 31.5 kg are taken.', true],
    ['weight', 'Vielleicht kommt der Flug später, the flight is late.', false],
    ['length', 'Ein Vorteil ist die Lage am Montag.', false],
    ['length', 'The jetty is 40 metres long.', true],
    ['length', 'Drei Wochen', false],
    ['extent', 'Drei Wochen', true],
    ['extent', 'The jetty is 40 metres long.', true],
    ['extent', 'The jetty is made of oak.', false],
    ['clock', 'The last tour starts forty minutes before closing.', true],
    ['clock', 'The shop is open from nine to six.', true],
    ['clock', 'The shop has nine rooms.', false],
    ['age', 'Drivers must be eighteen.', true],
    ['duration', 'Se avisa con quince días de antelación.', true],
    ['time', 'Das Haus ist in den ersten Augustwochen geschlossen.', true],
    ['time', 'A certificate is needed from the fourth consecutive day.', true],
    ['time', 'Pay rises with the second full month.', true],
    ['time', 'Gezahlt wird ab dem dritten Krankheitstag.', true],
    ['time', 'Gezahlt wird ab dem 4. Kalendertag.', true],
    ['time', 'A second opinion is welcome.', false],
    ['time', 'Der dritte Stock ist gesperrt.', false],
    ['moment', 'Seats are booked six weeks ahead.', true],
    ['moment', 'Seats are blue.', false],
    ['contact', 'Call 0555 4417 when a pipe leaks.', true],
    ['contact', 'Leaks are reported to the caretaker.', true],
    ['contact', 'Leaks are rare.', false],
    ['place', 'Coats are left in the lobby.', true],
    ['place', 'Mäntel hängen am Ofen.', true],
    ['place', 'Mäntel sind am Montag frei.', false],
    ['place', 'It takes place in the morning.', false],
    ['percent', '已有 20％ 的座位', true],
    ['weight', 'The bog holds 2 megatonnes of peat.', true],
    ['code', 'Use F-3 for leave.', true],
    ['year', 'El baño está cerrado; es kostet 1200 EUR.', false],
    ['year', 'It was built in 1987.', true],
    ['day', 'The company may march on; maintenance follows.', false],
    ['day', 'It opens on 3 May.', true],
    ['day', 'Jeden Mittwoch', true],
    ['percent', 'La moitié du prix.', true],
    ['percent', 'The hull is 3.5 m wide.', false],
    ['temperature', 'Der Raum ist heiß.', true],
    ['temperature', 'Store it at 20 C.', true],
    ['time', 'Después de la salida.', true],
    ['time', '收到货物前', true],
    ['reason', 'The car is red, as a rule.', false],
    ['reason', 'Sie wurde getauscht, da sie alt war.', true],
  ] as const)('%s: %s', (sort, sentence, holds) => {
    expect(holdsSort(sort, sentence)).toBe(holds);
  });

  it.each(['count', 'amount', 'weight', 'length', 'duration', 'year', 'price', 'percent'] as const)(
    'is told of a long line of numbers without going back over it: %s',
    (sort) => {
      expect(typeof holdsSort(sort, NUMBERS)).toBe('boolean');
      expect(typeof holdsSort(sort, 'a'.repeat(60_000))).toBe('boolean');
    },
  );
});

it.each([
  ['Der Mieter leistet eine Kaution von drei Kaltmieten.', true],
  ["The deposit is two months' rent.", true],
  ['Le dépôt est de deux mois de loyer.', true],
  ['La fianza es de dos mensualidades.', true],
  ['The lease runs for two months.', false],
  ['Eingezogen am 01.11.2020.', false],
  ['Es kostet 1.234,50.', true],
])('tells money in rents, and none in a date: %s', (sentence, expected) => {
  expect(holdsSort('price', sentence)).toBe(expected);
});
