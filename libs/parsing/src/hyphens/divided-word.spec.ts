import { describe, expect, it } from 'vitest';
import { joinOfParts } from './divided-word.js';
import { WordCounts } from './word-counts.js';

function joined(parts: string, text = ''): string {
  const words = new WordCounts();
  words.add(text);
  const [before = '', behind = ''] = parts.split('/');
  return before + joinOfParts(before, behind, words) + behind;
}

describe('a word that a line ends within', () => {
  it.each([
    ['docu/ment', 'document'],
    ['well/known', 'well-known'],
    ['self/contained', 'self-contained'],
    ['long/term', 'long-term'],
    ['long/itude', 'longitude'],
    ['water/based', 'water-based'],
    ['under/standing', 'understanding'],
    ['child/like', 'childlike'],
    ['state-of-the/art', 'state-of-the-art'],
    ['state/of-the-art', 'state-of-the-art'],
    ['self-docu/menting', 'self-documenting'],
    ['X/ray', 'X-ray'],
    ['e/mail', 'e-mail'],
    ['12/14', '12-14'],
    ['Haupt/bahnhof', 'Hauptbahnhof'],
    ['Nord/Süd', 'Nord-Süd'],
    ['Nord-Süd-Verbin/dung', 'Nord-Süd-Verbindung'],
    ['Nord/und', 'Nord- und'],
    ['E/Mail', 'E-Mail'],
    ['DOCU/MENT', 'DOCUMENT'],
    ['EU/Kommission', 'EU-Kommission'],
    ['peut/être', 'peut-être'],
  ])('%s is %s', (parts, whole) => {
    expect(joined(parts)).toBe(whole);
  });

  it.each([
    ['pre/war', 'The pre-war years.', 'pre-war'],
    ['pre/war', 'The prewar years, not pre-war: prewar.', 'prewar'],
    ['well/known', 'This wellknown thing.', 'wellknown'],
    ['co/operative', 'A Co\u2010operative.', 'co-operative'],
    ['maj/or', 'A major thing.', 'major'],
    ['long/and', 'No such word.', 'long- and'],
    ['docu/ment', 'Another docu-\nment and docu-\nment.', 'document'],
  ])('is what the document has elsewhere: %s in "%s"', (parts, text, whole) => {
    expect(joined(parts, text)).toBe(whole);
  });
});
