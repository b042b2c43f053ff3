import { describe, expect, it } from 'vitest';
import { holdsSort, wantedSort } from './answer-sorts.js';

const NUMBERS = Array.from({ length: 60_000 }, (_, n) => n % 10).join(',');

describe('what a question asks for', () => {
  it.each([
    ['How high is the hotel allowance?', 'amount'],
    ['Wie hoch ist die Miete?', 'amount'],
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
  expect(wantedSort('how much is it '.repeat(8_000))).toBe('any');
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
    ['weight', 'Parcels of up to 31.5 kg are taken.', true],
    ['weight', 'Vielleicht kommt der Flug später, the flight is late.', false],
    ['length', 'Ein Vorteil ist die Lage am Montag.', false],
    ['length', 'The jetty is 40 metres long.', true],
    ['length', 'Drei Wochen', true],
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
