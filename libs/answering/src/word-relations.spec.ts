import { describe, expect, it } from 'vitest';
import { foldText } from './overlap.js';
import { comparedWord, relationOf } from './word-relations.js';

describe('who does something, and the verb', () => {
  it.each([
    ['cleaners', 'cleans'],
    ['cleaner', 'cleaning'],
    ['painted', 'painters'],
  ])('%s and %s are related', (asked, found) => {
    expect(relationOf(comparedWord(asked), comparedWord(found))).toBeGreaterThan(0);
  });

  it.each([
    ['paper', 'pap'],
    ['letters', 'lets'],
    ['winter', 'wines'],
  ])('%s and %s are not', (asked, found) => {
    expect(relationOf(comparedWord(asked), comparedWord(found))).toBe(0);
  });
});

describe('a short German noun, and one that means a kind of it', () => {
  it.each([
    ['jahr', 'kalenderjahr'],
    ['tage', 'arbeitstage'],
    ['zeit', 'kernarbeitszeit'],
  ])('%s and %s are related', (asked, found) => {
    expect(relationOf(comparedWord(asked), comparedWord(found))).toBeGreaterThan(0);
  });

  it.each([
    ['tage', 'montage'],
    ['rate', 'separate'],
    ['test', 'latest'],
    ['ring', 'during'],
  ])('%s and %s are not', (asked, found) => {
    expect(relationOf(comparedWord(asked), comparedWord(found))).toBe(0);
  });
});

describe('forms that no stem brings together', () => {
  it.each([
    ['leitet', 'leitung'],
    ['geprüft', 'prüfungen'],
    ['anmeldung', 'angemeldet'],
    ['eingebaut', 'einbau'],
    ['umzutauschen', 'umtausch'],
    ['öffnung', 'öffnet'],
    ['mitschneiden', 'mitschnitte'],
    ['abgebrochen', 'abbruch'],
    ['ankommt', 'ankunft'],
    ['aufgenommen', 'aufnahme'],
    ['buses', 'bus'],
    ['box', 'boxes'],
  ])('%s and %s are related', (asked, found) => {
    expect(relationOf(comparedWord(foldText(asked)), comparedWord(foldText(found)))).toBeGreaterThan(0);
  });

  it.each([
    ['zeit', 'zeitung'],
    ['leiter', 'leitung'],
    ['eingang', 'einang'],
    ['leitet', 'meldung'],
    ['angel', 'anlage'],
    ['abgang', 'eingang'],
    ['abfahrt', 'ankunft'],
  ])('%s and %s are not, by that', (asked, found) => {
    expect(relationOf(comparedWord(foldText(asked)), comparedWord(foldText(found)))).not.toBe(0.8);
  });
});
