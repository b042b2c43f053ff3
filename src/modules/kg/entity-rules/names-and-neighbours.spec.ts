import { describe, expect, it } from 'vitest';
import { extractGraph } from './extract-graph.js';

const typesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    extractGraph([{ start: 0, text, headings: [] }])
      .mentions.filter(({ type }) => type !== 'term' && type !== 'date')
      .map(({ label, type }) => [label, type]),
  );

describe('what is beside a name', () => {
  it('is no part of a company behind its legal form', () => {
    const text =
      'The contract between the tenant and Reed & Daughters Roofing Ltd of Carlisle was signed in the spring.';
    expect(typesOf(text)).toEqual({ 'Reed & Daughters Roofing Ltd': 'organisation', Carlisle: 'place' });
  });

  it('is no part of the person who did it', () => {
    const text = 'Der Bericht liegt vor und wird geprüft.\n\nGeprüft von Walburga Trelle, Einkauf';
    expect(typesOf(text)).toEqual({ 'Walburga Trelle': 'person' });
    expect(typesOf('Das Haus gehört Karl von Trellenberg und wird im Sommer verkauft.')).toEqual({
      'Karl von Trellenberg': 'person',
    });
  });

  it('tells the product and the company of German nouns', () => {
    const text =
      'Der Schreibtisch Halvero steht neben dem Entkalker Purexin. Den Rückweg fährt das Reiseunternehmen Tolksdorf.';
    expect(typesOf(text)).toEqual({ Halvero: 'product', Purexin: 'product', Tolksdorf: 'organisation' });
  });

  it('tells a product by an article in English', () => {
    const text = 'Readings come from the VoltNest gateway every hour, and they are kept for a year.';
    expect(typesOf(text)).toEqual({ VoltNest: 'product' });
  });
});

describe('words that some names have', () => {
  it('are no legal form in a title in capitals', () => {
    expect(
      typesOf('TARIFE FÜR STROM – GÜLTIG AB 1. MAI\n\nDie Preise gelten für alle Kunden und im ganzen Land.'),
    ).toEqual({});
  });

  it('make a place only where they say where something is', () => {
    expect(typesOf('Im Karton liegen das Gerät, die Ladestation Velmo Dock und ein Kabel, das ist alles.')).toEqual({
      'Velmo Dock': 'product',
    });
    expect(typesOf('The route was tested by Mountain Velmora volunteers for a year and it was good.')).toEqual({});
    expect(typesOf('They walked to Velmora Bridge in the rain and were back by noon.')).toEqual({
      'Velmora Bridge': 'place',
    });
  });

  it('make no person', () => {
    const text = 'Orders go to Isla Fernley, Velmora Valley Larder, by phone or by mail as you like.';
    expect(typesOf(text)).toEqual({ 'Isla Fernley': 'person' });
  });

  it('are given names too in front of a family name', () => {
    const text = 'The talk has moved to the afternoon because May Collingwood is late, and so is Will Ferrister.';
    expect(typesOf(text)).toEqual({ 'May Collingwood': 'person', 'Will Ferrister': 'person' });
    expect(typesOf('In the plan that we may change it says that May is the month of the fair.')).toEqual({});
  });
});

describe('one word', () => {
  it('is a person where it is a given name inside a sentence', () => {
    expect(typesOf('Bitte den Urlaub von Jonas bis Freitag eintragen, das ist wichtig.')).toEqual({ Jonas: 'person' });
  });

  it('is a product where everybody knows it, and not where it is a word', () => {
    expect(typesOf('Das Gerät läuft mit Windows und unter Linux, aber nicht mit jeder Version.')).toEqual({
      Windows: 'product',
      Linux: 'product',
    });
    expect(typesOf('Windows are cleaned once a month. The doors are cleaned every week.')).toEqual({});
  });
});
