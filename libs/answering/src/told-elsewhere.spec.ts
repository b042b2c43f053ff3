import { describe, expect, it } from 'vitest';
import { analyzeChunk, decodeTerms, encodeTerms, summarizeTerms, TermStatistics } from '#libs/ranking';
import { ANSWERED_THRESHOLD, measureAnswered } from './answered.js';
import { wantedSort } from './asked-sorts.js';
import { condenseQuestion } from './condense.js';
import { profileQuestion } from './question-profile.js';

/** Whether one document of this name answers a question. */
function isAnswered(question: string, text: string, title = ''): boolean {
  const statistics = new TermStatistics();
  statistics.add(summarizeTerms([decodeTerms(encodeTerms(analyzeChunk({ text })))]));
  return measureAnswered(profileQuestion(question, statistics), [{ text, title }]) >= ANSWERED_THRESHOLD;
}

const ALARM = 'Bei Feueralarm sammeln sich alle am Sammelplatz hinter dem Kesselhaus.';

describe('a place that is asked for', () => {
  it.each([
    ['Wie viele Fahrräder stehen in Bregenz?', 'In Lindau stehen elf Fahrräder.', ''],
    ['Wo ist der Sammelplatz bei Feueralarm in Bregenz?', ALARM, 'Brandschutz – Werkstatt Lindau'],
    ['Wo ist der Sammelplatz bei Feueralarm in der Bregenzer Werkstatt?', ALARM, 'Brandschutz – Werkstatt Lindau'],
    ['Combien de vélos y a-t-il à Lille ?', 'À Nantes il y a onze vélos.', ''],
    ['¿Cuántas bicicletas hay en Cuenca?', 'En Toledo hay once bicicletas.', ''],
  ])('is not the one that is told of: %s', (question, text, title) => {
    expect(isAnswered(question, text, title)).toBe(false);
  });

  it.each([
    ['Wie viele Fahrräder stehen in Lindau?', 'In Lindau stehen elf Fahrräder.', ''],
    ['Wo ist der Sammelplatz bei Feueralarm in Lindau?', ALARM, 'Brandschutz – Werkstatt Lindau'],
    ['Wo ist der Sammelplatz bei Feueralarm in der Lindauer Werkstatt?', ALARM, 'Brandschutz – Werkstatt Lindau'],
    ['Wo ist der Sammelplatz bei Feueralarm?', ALARM, 'Brandschutz – Werkstatt Lindau'],
    ['How many bikes are kept in Leeds?', 'In Hull none are left. In Leeds eleven bikes are kept.', ''],
  ])('may be the one that is told of: %s', (question, text, title) => {
    expect(isAnswered(question, text, title)).toBe(true);
  });

  it.each([
    [
      'Wo ist der Sammelplatz in Bregenz?',
      'Wie viele Fahrräder stehen dort?',
      'Wie viele Fahrräder stehen in Bregenz? Sammelplatz',
    ],
    ['Who runs the canteen in Leeds?', 'How many people eat there?', 'How many people eat in Leeds? runs canteen'],
    ['¿Quién dirige el taller en Toledo?', '¿Cuántos trabajan allí?', '¿Cuántos trabajan en Toledo? dirige taller'],
  ])('is taken from the question before: %s', (before, question, expected) => {
    expect(condenseQuestion([{ role: 'user', content: before }], question)).toBe(expected);
  });

  it('is none where something is said to exist', () => {
    const history = [{ role: 'user', content: 'Who runs the canteen in Leeds?' }];
    expect(condenseQuestion(history, 'And how many cooks are there?')).toContain('there');
  });
});

const HOURS = 'All three baths are closed on 25 December. On 24 December they close at 14:00.';

describe('when something is open that has a name', () => {
  it.each(['When does the Lamp Shop close on 24 December?', 'Is Bistro Corso open on 24 December?'])(
    'is not told by the hours of others: %s',
    (question) => {
      expect(isAnswered(question, HOURS)).toBe(false);
    },
  );

  it.each([
    ['When do the baths close on 24 December?', HOURS],
    ['When does the Lamp Shop close on 24 December?', 'On 24 December the Lamp Shop closes at 14:00.'],
    ['When does the Lamp Shop close on 24 December?', '## The Lamp Shop\n\nOn 24 December it closes at 14:00.'],
  ])('is told by its own: %s', (question, text) => {
    expect(isAnswered(question, text)).toBe(true);
  });
});

describe('a measure that is asked for', () => {
  it.each([
    ['How many volts does the sander Brix 40 have?', 'The sander Brix 40 weighs 3 kilograms.'],
    ['Mit wie viel Watt läuft der Schleifer Brix 40?', 'Der Schleifer Brix 40 wiegt 3 Kilogramm.'],
    ['Quelle est la puissance de la pompe du bassin ?', 'La pompe est installée près du bassin.'],
    ['¿Cuál es la potencia de la bomba del estanque?', 'La bomba está junto al estanque.'],
  ])('is not told by something else of the same thing: %s', (question, text) => {
    expect(isAnswered(question, text)).toBe(false);
  });

  it.each([
    ['How many volts does the sander Brix 40 have?', 'The sander Brix 40 runs on 230 V.'],
    ['Quelle est la puissance de la pompe du bassin ?', 'La pompe du bassin fait 4 kW.'],
  ])('is told with its unit: %s', (question, text) => {
    expect(isAnswered(question, text)).toBe(true);
  });
});

describe('how someone is reached by telephone', () => {
  it.each([
    'Wie erreiche ich die Hausverwaltung telefonisch?',
    'How can I reach the caretaker by phone?',
    'Comment joindre le gardien par téléphone ?',
    '¿Cómo puedo contactar con el portero por teléfono?',
  ])('asks for a number: %s', (question) => {
    expect(wantedSort(question)).toBe('phone');
  });

  it.each(['Kann ich telefonisch bestellen?', 'Can I order by phone?', 'How do I cancel an order?'])(
    'is not asked by %s',
    (question) => {
      expect(wantedSort(question)).not.toBe('phone');
    },
  );
});
