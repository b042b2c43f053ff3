import { describe, expect, it } from 'vitest';
import { extractGraph } from './extract-graph.js';

const typesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    extractGraph([{ start: 0, text, headings: [] }])
      .mentions.filter(({ type }) => type !== 'term' && type !== 'date')
      .map(({ label, type }) => [label, type]),
  );

const namesOf = (text: string): string[] =>
  extractGraph([{ start: 0, text, headings: [] }]).mentions.map(({ label }) => label);

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

describe('a place whose name is of a word and another place', () => {
  it('is named as a whole, with ordinary words around it or without', () => {
    const text =
      'Hotel costs are refunded up to a limit in New York and in the New York Office, and elsewhere for less.';
    expect(typesOf(text)).toMatchObject({ 'New York': 'place' });
    expect(namesOf(text)).not.toContain('York');
    expect(typesOf('The Monday York meeting is late, and we meet in York again.')).toMatchObject({ York: 'place' });
  });
});

describe('a company', () => {
  it('has its legal form behind a comma too', () => {
    const text =
      'The agreement between Willow Creek Dental Group, LLC, and Cleanline Facilities, Inc. was signed in May. Invoices go to Cleanline Facilities, Inc. and to no one else.';
    expect(typesOf(text)).toEqual({
      'Willow Creek Dental Group, LLC': 'organisation',
      'Cleanline Facilities, Inc': 'organisation',
    });
    expect(
      namesOf('The firms are an Inc, an LLC or an LLP. As an LLC it pays less, as an LLP or an Inc more.'),
    ).toEqual([]);
  });

  it('keeps the trade in front of its name', () => {
    expect(typesOf('Anwesend war auch Olaf Petersen (Elektro Petersen GmbH), der den Zähler tauscht.')).toEqual({
      'Olaf Petersen': 'person',
      'Elektro Petersen GmbH': 'organisation',
    });
    expect(typesOf('Der Auftrag geht an die Firma Reinwerk GmbH, die morgen kommt.')).toEqual({
      'Reinwerk GmbH': 'organisation',
    });
  });

  it('is the same without its legal form, and not a person', () => {
    expect(
      typesOf(
        'As agreed, Kestrel Marine brings the winches. The invoice comes from Kestrel Marine Ltd in Southampton.',
      ),
    ).toEqual({ 'Kestrel Marine Ltd': 'organisation', Southampton: 'place' });
  });

  it('keeps its name where that is a place, a person or another company without the legal form', () => {
    expect(
      typesOf('The boat belongs to Lake Velmora Ltd, and it is kept on Lake Velmora all year. Swimming is allowed.'),
    ).toEqual({ 'Lake Velmora Ltd': 'organisation', 'Lake Velmora': 'place' });
    expect(
      typesOf('The roof was mended by Oswin Trelle Ltd in May. Later Mr Oswin Trelle sent the invoice by post.'),
    ).toEqual({ 'Oswin Trelle Ltd': 'organisation', 'Oswin Trelle': 'person' });
    const [ltd, gmbh] = ['The winches are made by Kestrel Marine Ltd.', 'They are sold by Kestrel Marine GmbH.'];
    for (const text of [`${ltd} ${gmbh}`, `${gmbh} ${ltd}`])
      expect(typesOf(`${text} As agreed, Kestrel Marine brings the winches.`)).toMatchObject({
        'Kestrel Marine Ltd': 'organisation',
        'Kestrel Marine GmbH': 'organisation',
        'Kestrel Marine': expect.any(String) as string,
      });
  });

  it('is told by its words in capitals too', () => {
    expect(
      typesOf('This agreement is made between HARBOUR LANE HOUSING ASSOCIATION and the tenant of the house.'),
    ).toEqual({ 'HARBOUR LANE HOUSING ASSOCIATION': 'organisation' });
    expect(typesOf('The turbine is serviced by SIEMENS ENERGY each spring, and the rest is done in house.')).toEqual({
      'SIEMENS ENERGY': 'organisation',
    });
    expect(typesOf('Der Vertrag mit der GOETHE UNIVERSITÄT endet im Herbst und wird nicht verlängert.')).toEqual({
      'GOETHE UNIVERSITÄT': 'organisation',
    });
  });

  it('is told by where it works', () => {
    expect(
      typesOf('The bins are collected by MediWaste UK on each Thursday, and the rest is left to the clinic.'),
    ).toEqual({
      'MediWaste UK': 'organisation',
    });
  });

  it('is told by its trade', () => {
    expect(
      typesOf('Electricity is supplied by Octopus Energy since May. They talked to Velmora Grocers about the price.'),
    ).toEqual({ 'Octopus Energy': 'organisation', 'Velmora Grocers': 'organisation' });
  });
});

describe('a title or a noun in front', () => {
  it('belongs to no name', () => {
    expect(typesOf('Apologies came from Cllr Ravi Menon on the day. Later Cllr Menon asked for the plan.')).toEqual({
      'Ravi Menon': 'person',
    });
  });

  it('is no name by itself', () => {
    expect(
      typesOf('The letter went to Mr and Mrs Piotr Zielinski. The decision is made by CFO Linda Marsh in May.'),
    ).toEqual({
      'Piotr Zielinski': 'person',
      'Linda Marsh': 'person',
    });
  });

  it('outdoes what a place of that name is', () => {
    expect(typesOf('Wir haben heute zwölf Sofas Modell Verona erhalten, und vier davon sind verschmutzt.')).toEqual({
      Verona: 'product',
    });
  });
});

describe('what names nothing', () => {
  it('is a wish', () => {
    expect(typesOf('Wir sehen uns am Montag. Guten Appetit nachher! Guten Flug wünscht das ganze Büro.')).toEqual({});
  });

  it('is one unknown word behind "in", which may be a program', () => {
    expect(typesOf('Claims are submitted in Concur within a month, and the alarm is set in Datadog.')).toEqual({});
    expect(typesOf('She lives in Velmora, a village near Brackwold, and works outside Tolmere.')).toEqual({
      Velmora: 'place',
      Brackwold: 'place',
      Tolmere: 'place',
    });
  });

  it('is the revision of a drawing, or a list of legal forms', () => {
    expect(typesOf('Die Zeichnung zeigt die Anlage.\n\nRev. Pumpe\nBlatt 2 von 4')).not.toHaveProperty('Pumpe');
    expect(typesOf('Rev Status and Rev Date are in the head of the drawing.')).toEqual({});
    expect(typesOf('The sermon was held by Rev. Thomas Trelle on Sunday.')).toEqual({ 'Thomas Trelle': 'person' });
    expect(typesOf('Rechtsformen: AG, GmbH und KG sind in der Liste.')).toEqual({});
    expect(typesOf('Die Firmen sind AG, GmbH oder KG.')).toEqual({});
  });

  it('is a program that something is in, while an office is at a place', () => {
    expect(typesOf('The tickets are in Zammad, and the alarm was in Velmora.')).toEqual({});
    expect(typesOf('The head office is in Velmora.')).toEqual({ Velmora: 'place' });
    expect(typesOf('They were in Velmora for a week.')).toEqual({ Velmora: 'place' });
    expect(typesOf('The bakery was founded in Velmora, and it is registered in Brackwold.')).toEqual({
      Velmora: 'place',
      Brackwold: 'place',
    });
  });

  it('is a formula in capitals', () => {
    expect(namesOf('IN WITNESS WHEREOF, the parties have signed this agreement. NOW THEREFORE they agree.')).toEqual(
      [],
    );
  });

  it('is a heading of ordinary words, or the number of an item in front of one', () => {
    const under = (heading: string): string[] =>
      extractGraph([
        { start: 0, text: `${heading}\n\nThe lift is repaired in spring.`, headings: [heading] },
      ]).mentions.map(({ label }) => label);
    expect(under('Any other business')).toEqual([]);
    expect(under('Decisions')).toEqual([]);
    expect(under('TOP 3: Verschiedenes')).toEqual([]);
    expect(under('TOP 1: Stand der Rohbauarbeiten')).toEqual(['Stand der Rohbauarbeiten']);
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
