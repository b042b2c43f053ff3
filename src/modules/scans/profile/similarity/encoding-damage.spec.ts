import { expect, it } from 'vitest';
import { countEncodingDamage } from './encoding-damage.js';

it('counts replaced characters and text that was read in the wrong encoding', () => {
  const misread = Buffer.from('Grüße aus Köln – “schön”', 'utf8').toString('latin1');
  expect(countEncodingDamage(misread).misreadSequences).toBe(7);
  expect(countEncodingDamage('a\uFFFDb\uFFFD')).toEqual({ replacedCharacters: 2, misreadSequences: 0 });
});

it('counts nothing in sound texts', () => {
  for (const sound of ['Grüße aus Köln – “schön”', 'À la carte, São Paulo, Ângela, côté', 'Â“', 'Привет', '水泵'])
    expect(countEncodingDamage(sound)).toEqual({ replacedCharacters: 0, misreadSequences: 0 });
});
