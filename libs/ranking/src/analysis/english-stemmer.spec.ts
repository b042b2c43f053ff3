import { describe, expect, it } from 'vitest';
import { stemEnglish } from './english-stemmer.js';

describe('stemEnglish', () => {
  it.each([
    ['caresses', 'caress'],
    ['ties', 'tie'],
    ['cries', 'cri'],
    ['gas', 'gas'],
    ['agreed', 'agre'],
    ['hopping', 'hop'],
    ['hoping', 'hope'],
    ['luxuriating', 'luxuri'],
    ['added', 'add'],
    ['relational', 'relat'],
    ['conditionally', 'condit'],
    ['vietnamization', 'vietnam'],
    ['hopefulness', 'hope'],
    ['geologist', 'geolog'],
    ['generally', 'general'],
    ['universities', 'universiti'],
    ['international', 'internat'],
    ['adoption', 'adopt'],
    ['controlling', 'control'],
    ['saying', 'say'],
    ['enjoy', 'enjoy'],
    ['skies', 'sky'],
    ['news', 'news'],
    ['proceeds', 'proceed'],
    ['by', 'by'],
  ])('stems %s to %s as the Snowball project does', (word, stem) => {
    expect(stemEnglish(word)).toBe(stem);
    expect(stemEnglish(word)).toBe(stem);
  });
});
