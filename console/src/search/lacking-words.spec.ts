import { expect, it } from 'vitest';
import { lackingIn } from './lacking-words.js';

it('names what a text lacks, and no form of a word that stands in it', () => {
  const text = '7. Lockers and lost property. Day lockers take a £1 coin. Frau Löffler hilft den Kindern.';
  expect(lackingIn(text, ['locker', 'Bilbao'])).toEqual(['Bilbao']);
  expect(lackingIn(text, ['Kinder', 'coins', 'take'])).toEqual([]);
  expect(lackingIn(text, ['Annegret Löffler'])).toEqual(['Annegret Löffler']);
  // A number is another one, and a short word no stem.
  expect(lackingIn('In 2026 we go.', ['202', 'gone'])).toEqual(['202', 'gone']);
  expect(lackingIn('', ['pump'])).toEqual(['pump']);
});
