import { describe, expect, it } from 'vitest';
import { sniffDialect } from './sniff-dialect.js';

/** With as many rows, a header without the wrong mark weighs next to nothing. */
const ROWS = 60;

function file(header: string, row: (n: number) => string): string {
  return [header, ...Array.from({ length: ROWS }, (_, n) => row(n)), ''].join('\n');
}

describe('the delimiter of a file', () => {
  it.each([
    [
      'amounts with a decimal comma',
      ';',
      file('order;customer;amount;date', (n) => `O-${n};${n};${n}50,87;21.09.2025`),
    ],
    ['amounts with points and a comma', ';', file('order;amount', (n) => `O-${n};1.2${n % 10}4,75`)],
    ['a decimal comma between tabs', '\t', file('part\tweight', (n) => `P-${n}\t${n},5`)],
    ['a decimal comma between bars', '|', file('part|weight', (n) => `P-${n}|${n},5`)],
    ['thousands with commas', ';', file('town;people', (n) => `T${n};1,20${n % 10},500`)],
    ['surnames before a comma', ';', file('Name;Team;Days', (n) => `Weiss, Anna;T${n};${n}`)],
    ['surnames before a comma, also in the header', ';', file('Name, Vorname;Tage', (n) => `Weiss, Anna;${n}`)],
    ['a comma without a space', ';', file('Name;Team;Days', (n) => `Weiss,Anna;T${n};${n}`)],
    [
      'the lines of an account above it',
      ';',
      `Konto;DE02\nInhaber;Weiss, Anna\n\n${file('Tag;Zweck;Betrag;Saldo', (n) => `${n}.03.;Lampe;-${n},50;1.${n + 100},25`)}`,
    ],
    [
      'names without a space below a line about the file',
      ';',
      `Export of 3 March\n${file('Name;Team;Days', (n) => `Weiss,Anna;T${n};${n}`)}`,
    ],
    ['semicolons at the end of each line', ',', file('id,name,note', (n) => `${n},Lamp ${n},red;`)],
    ['whole numbers between commas', ',', file('a,b,c', (n) => `${n},2,3`)],
    ['two whole numbers between a comma', ',', file('a,b', (n) => `${n},2`)],
    ['a comma and a space', ',', file('a, b, c', (n) => `${n}, two, three`)],
    ['semicolons within a field', ',', file('id,tags,name', (n) => `${n},red;green,Lamp ${n}`)],
    ['times between commas', ',', file('room,from,to', (n) => `R${n},09:00,10:30`)],
  ])('is told with %s', (_what, delimiter, text) => {
    expect(sniffDialect(text)).toMatchObject({ delimiter });
  });
});
