import { expect, it } from 'vitest';
import { askedAttribute } from './answer-hints.js';

it.each([
  ['What is the rent of the Larkfield practice?', 'rent'],
  ['What’s the closing date for applications?', 'date'],
  ['Wie hoch ist die Miete der Praxis in Holm?', 'Miete'],
  ['Quel est le loyer du cabinet de Lyon ?', 'loyer'],
  ['¿Cuál es el alquiler de la consulta?', 'alquiler'],
  ['What is the name of the manager?', undefined],
  ['What is the total of all orders?', undefined],
  ['Who manages Larkfield?', undefined],
  ['What is a crown?', undefined],
])('%s', (question, noun) => {
  expect(askedAttribute(question)).toBe(noun);
});
