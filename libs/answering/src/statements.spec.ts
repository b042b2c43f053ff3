import { describe, expect, it } from 'vitest';
import { answerExtractively } from './answer-extractively.js';
import { measureGrounding } from './citations.js';
import { splitStatements } from './statements.js';

const HOUSE = `Wohnung | Lage | Mieter | Miete € | Einzug
12/1 | EG links | Familie Yilmaz | 890,00 | 01.03.2017
12/3 | 1. OG links | Herr Brandt | 725,00 | 01.11.2020
14/2 | 1. OG rechts | Frau Dr. Keil | 650,00 | 01.06.2019`;

describe('splitStatements', () => {
  it('keeps a row whole whose cells hold what ends a sentence elsewhere', () => {
    const rows = splitStatements(HOUSE).map(({ start, end }) => HOUSE.slice(start, end));
    expect(rows).toEqual(HOUSE.split('\n'));
  });

  it('tells the sentences of a row’s last cell apart, and those of lines without cells', () => {
    const text = 'Pets | Dogs are welcome. Cats are not.\nNo. 4 is closed. Ask at the desk.';
    const pieces = splitStatements(text).map(({ start, end }) => text.slice(start, end));
    expect(pieces).toEqual(['Pets | Dogs are welcome.', 'Cats are not.', 'No. 4 is closed.', 'Ask at the desk.']);
  });

  it('tells lines apart that each name a value, but not the head of a mail or one such line among others', () => {
    const contacts =
      'Workshop manager: Sandra Ott\nDeputy: Paul Moser\nParts store: open from 7 to 4,\non Fridays to 12';
    const pieces = (text: string): string[] => splitStatements(text).map(({ start, end }) => text.slice(start, end));
    expect(pieces(`People to ask\n${contacts}`)).toEqual([
      'People to ask',
      'Workshop manager: Sandra Ott',
      'Deputy: Paul Moser',
      'Parts store: open from 7 to 4,\non Fridays to 12',
    ]);
    for (const whole of ['From: Ott\nTo: all\nSubject: Keys', 'Please note: the gate\nis closed on Sunday'])
      expect(pieces(whole)).toEqual([whole]);
    const sources = [{ number: 1, text: contacts, score: 1 }];
    expect(answerExtractively('Who is the deputy?', sources)?.answer).toBe('Deputy: Paul Moser [1]');
  });

  it('so that a row of a sheet of names and values is quoted as it says it', () => {
    const text = 'Contract number | 4711\nCustomer | Acme Ltd\nStart | 01.03.2025\nMonthly fee | 1,200.00 EUR';
    const answer = answerExtractively('What is the monthly fee?', [{ number: 1, text, score: 1 }])?.answer;
    expect(answer).toBe('Monthly fee: 1,200.00 EUR. [1]');
  });

  it('so that every cell of such a row is quoted with the name of its own column', () => {
    const sources = [{ number: 1, text: HOUSE, score: 1 }];
    const rent = answerExtractively('Wie hoch ist die Miete von Herrn Brandt?', sources);
    expect(rent?.answer).toBe('Wohnung: 12/3; Mieter: Herr Brandt; Miete €: 725,00. [1]');
    const all = answerExtractively('Was weißt du über Brandt?', sources)!.answer;
    expect(all).toContain('Lage: 1. OG links; Mieter: Herr Brandt; Miete €: 725,00');
    expect(measureGrounding(all, sources)).toMatchObject({ status: 'supported' });
  });
});

describe('the first line of a paragraph', () => {
  const kindsOf = (text: string): string[] =>
    splitStatements(text).map(({ kind, start, end }) => `${kind}: ${text.slice(start, end)}`);

  it.each([
    ['a title over its sentences', 'Item 3  New saw\nThe old saw has too much play. Ida asks for offers.'],
    ['one in another language', 'TOP 2  Neue Säge\nDie alte Säge hat zu viel Spiel. Ida holt Angebote ein.'],
    [
      'one over filled lines',
      'Leave in summer\nBetween May and September at most two of the four may be\naway at the same time. Ida keeps the list.',
    ],
  ])('is a heading: %s', (_, text) => {
    expect(kindsOf(`Before.\n\n${text}`)[1]).toBe(`heading: ${text.split('\n')[0]}`);
    expect(kindsOf(text)[0]).toBe(`heading: ${text.split('\n')[0]}`);
  });

  it.each([
    [
      'filled up to the width',
      'Between May and September at most two of the four may be\nAway Team members. Ida keeps the list.',
    ],
    ['broken before a word that does not fit', 'A lost key is reported to\nReception without delay.'],
    ['in the middle of a sentence', 'The keys,\nBoth of them, are kept in the safe of the reception.'],
    [
      'that goes on in small letters',
      'The keys of the old shed\nare kept in the safe of the reception in the main house.',
    ],
    ['of an address', 'Ida Holm\nHarbour Street 5\nWexley'],
    ['over lines that name values', 'Committee of the club\nPresent: Ida Holm, Tom Wick.\nApologies: Greta Halloran.'],
    ['not the first one', 'Ida came late.\nNew saw\nThe old saw has too much play.'],
  ])('is none: %s', (_, text) => {
    expect(kindsOf(text).filter((one) => one.startsWith('heading'))).toEqual([]);
  });
});
