import { describe, expect, it } from 'vitest';
import { coversMeasure, measureOf } from './stated-ranges.js';

describe('coversMeasure', () => {
  it.each([
    ['What if I cancel 24 hours before?', '24', 'Between 48 and 6 hours before departure half is returned.', true],
    ['What if I cancel 24 hours before?', '24', 'At least 48 hours before departure all is returned.', false],
    ['What if I cancel three days before?', 'three', 'At least 48 hours before departure all is returned.', true],
    ['A room for 12 people', '12', 'The blue room is for up to eight people.', false],
    ['A room for 12 people', '12', 'The hall is for 10–20 people.', true],
    ['Was kostet ein Paket mit 7 kg?', '7', 'Pakete über 5 kg bis 10 kg kosten 9 Euro.', true],
    ['Was kostet ein Paket mit 12 kg?', '12', 'Pakete über 5 kg bis 10 kg kosten 9 Euro.', false],
    ['Mon fils de huit ans peut-il nager ?', 'huit', 'Les enfants de moins de dix ans sont accompagnés.', true],
    ['¿Y con 15 días?', '15', 'Desde 10 hasta 20 días se devuelve la mitad.', true],
    // A deadline is no range of cases, and an age is no delay.
    ['Can I still pay after 3 days?', '3', 'Claims are lodged within 14 days.', false],
    ['My daughter is 13 years old', '13', 'Who arrives more than 90 minutes late gets a voucher.', false],
  ])('%s (%s) by “%s”: %s', (question, form, text, isCovered) => {
    const measure = measureOf(question, form);
    expect(measure !== null && coversMeasure(text, measure)).toBe(isCovered);
  });

  it('knows no measure of a number without a unit', () => {
    expect(measureOf('What was the profit in 2024?', '2024')).toBeNull();
  });
});
