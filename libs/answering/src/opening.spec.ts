import { describe, expect, it } from 'vitest';
import { lacksOpening } from './asked-otherwise.js';

const MEALS = 'Meals at the snack bar are half price on working days.';

describe('lacksOpening', () => {
  it.each([
    ['Is the snack bar open on Tuesdays?', MEALS],
    ['When is the reception open in August?', 'Put your child on the list at reception by 18:00.'],
    ['What are the opening hours of the library?', 'Books are lent for 21 days.'],
    ['Bis wann hat die Kantine geöffnet?', 'In der Kantine kostet das Menü 5 Euro.'],
    ['Quand la bibliothèque est-elle ouverte ?', 'La bibliothèque prête trois livres.'],
    ['¿Está abierta la piscina el lunes?', 'El lunes hay curso en la piscina.'],
  ])('%s – %s', (question, text) => {
    expect(lacksOpening(question, text)).toBe(true);
  });

  it.each([
    ['Is the snack bar open on Tuesdays?', 'The snack bar is closed on Tuesdays in May.'],
    ['When is the reception open?', 'Reception | 8:00-12:00 | 15:00-18:00'],
    ['When is the office open?', 'The office is staffed from 9 to 5.'],
    ['Wann ist die Halle offen?', 'Die Halle: Montag bis Freitag 9 bis 22 Uhr.'],
    ['Quand ouvre la piscine ?', 'La piscine ferme le lundi.'],
    ['How do I open the gate?', 'Turn the key twice.'],
    ['Who opens the pool in the morning?', 'Bo Lind has the keys of the pool.'],
    ['When did the site in Porto open?', 'Porto | 12 | 2023'],
    ['When did we open the account?', 'The account was made in 2019.'],
    ['Is there an open position in the kitchen?', 'The kitchen looks for a cook.'],
    ['What does a locker cost?', MEALS],
  ])('says nothing: %s – %s', (question, text) => {
    expect(lacksOpening(question, text)).toBe(false);
  });
});
