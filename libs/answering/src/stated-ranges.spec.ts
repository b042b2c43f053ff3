import { describe, expect, it } from 'vitest';
import type { Measure } from './measure.js';
import { isWithin, measureOf, rangesOf } from './stated-ranges.js';

const coversMeasure = (text: string, measure: Measure): boolean => isWithin(rangesOf(text), measure);

describe('ranges of a text', () => {
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
    ['A parcel of 12 kg', '12', 'Parcels of not more than 5 kg cost 9 euros.', false],
    ['A parcel of 3 kg', '3', 'Parcels of not more than 5 kg cost 9 euros.', true],
    ['A parcel of 12 kg', '12', 'Parcels of no more than 5 kg cost 9 euros.', false],
    ['A parcel of 12 kg', '12', 'Parcels not exceeding 5 kg cost 9 euros.', false],
    ['A parcel of 3 kg', '3', 'Parcels not exceeding 5 kg cost 9 euros.', true],
    ['A parcel of 12 kg', '12', 'Parcels not over 5 kg cost 9 euros.', false],
    ['A parcel of 12 kg', '12', 'Parcels not heavier than 5 kg cost 9 euros.', false],
    ['A parcel of 3 kg', '3', 'Parcels of not less than 5 kg cost 9 euros.', false],
    ['A parcel of 12 kg', '12', 'Parcels of not less than 5 kg cost 9 euros.', true],
    ['A group of 3 persons', '3', 'Groups of no fewer than 5 persons pay 9 euros.', false],
    ['A parcel of 3 kg', '3', 'Parcels not under 5 kg cost 9 euros.', false],
    ['Ein Paket mit 12 kg', '12', 'Pakete mit nicht mehr als 5 kg kosten 9 Euro.', false],
    ['Ein Paket mit 12 kg', '12', 'Pakete, die nicht über 5 kg wiegen, kosten 9 Euro.', false],
    ['Ein Paket mit 3 kg', '3', 'Pakete, die nicht über 5 kg wiegen, kosten 9 Euro.', true],
    ['Ein Paket mit 12 kg', '12', 'Pakete, die nicht schwerer als 5 kg sind, kosten 9 Euro.', false],
    ['Ein Paket mit 3 kg', '3', 'Pakete mit nicht weniger als 5 kg kosten 9 Euro.', false],
    ['Ein Paket mit 3 kg', '3', 'Pakete, die nicht unter 5 kg wiegen, kosten 9 Euro.', false],
    ['Ein Paket mit 12 kg', '12', 'Pakete, die nicht unter 5 kg wiegen, kosten 9 Euro.', true],
    ['Un colis de 12 kg', '12', 'Les colis de pas plus de 5 kg coûtent 9 euros.', false],
    ['Un colis de 3 kg', '3', 'Les colis de pas moins de 5 kg coûtent 9 euros.', false],
    ['Un paquete de 12 kg', '12', 'Los paquetes de no más de 5 kg cuestan 9 euros.', false],
    ['Un paquete de 3 kg', '3', 'Los paquetes de no menos de 5 kg cuestan 9 euros.', false],
    // Two of them are no range, and what goes on over days is no lower bound.
    ['A ticket for 48 hours', '48', 'Tickets for 24 and 72 hours cost 9 and 19 euros.', false],
    ['A ticket for 24 hours', '24', 'Tickets for 24 and 72 hours cost 9 and 19 euros.', true],
    ['A ticket for 48 hours', '48', 'Tickets for 24, 48 or 72 hours are sold.', true],
    ['A ticket for 60 hours', '60', 'Tickets for 24, 48 or 72 hours are sold.', false],
    ['Ein Zimmer für 4 Personen', '4', 'Es gibt Zimmer für 2 und 6 Personen.', false],
    ['Ein Zimmer für 4 Personen', '4', 'Es gibt Zimmer für 2 bis 6 Personen.', true],
    ['Une chambre pour 4 personnes', '4', 'Les chambres sont pour 2 et 6 personnes.', false],
    ['Una sala para 4 personas', '4', 'Hay salas para 2 y 6 personas.', false],
    ['A child of 8 years', '8', 'Children between the ages of 6 and 12 years pay half.', true],
    ['My 13 year old wants to come', '13', 'Adolescents aged 12 to 15 may board alone.', true],
    ['My 16 year old wants to come', '16', 'Adolescents aged 12 to 15 may board alone.', false],
    ['My 11 year old wants to come', '11', 'Persons below the age of 12 are accompanied.', true],
    ['My 13 year old wants to come', '13', 'Persons below the age of 12 are accompanied.', false],
    ['Is it free for a girl of 5 years?', '5', 'Children under 6 pay nothing.', true],
    ['Mein Sohn ist 13 Jahre alt', '13', 'Jugendliche im Alter von 12 bis 15 fahren allein.', true],
    ['Mein Sohn ist 4 Jahre alt', '4', 'Kinder unter 6 zahlen nichts.', true],
    ['Mein Sohn ist 7 Jahre alt', '7', 'Kinder unter 6 zahlen nichts.', false],
    ['Ma fille a 13 ans', '13', 'Les jeunes âgés de 12 à 15 voyagent seuls.', true],
    ['Mi hija tiene 13 años', '13', 'Los niños de 12 a 15 viajan solos.', true],
    // Whether something may be done is told by a bound on either side.
    ['Ich bin 15, darf ich in die Sauna?', '15', 'Die Sauna ist ab 16 Jahren geöffnet.', true],
    ['I weigh 135 kilos. Can I use the lift?', '135', 'The lift carries up to 130 kilos.', true],
    [
      'My daughter turned 12 last week. Is she allowed to swim alone?',
      '12',
      'Under 14 years nobody swims alone.',
      true,
    ],
    ['Can my 16 year old come?', '16', 'Adolescents aged 12 to 15 may board alone.', false],
    // What a unit follows is no age.
    ['A child of 8 years', '8', 'Children up to 10 kg sit in front.', false],
    ['I am 15 minutes late', '15', 'Open to all from the age of 12.', false],
    ['Mein Sohn ist 4 Jahre alt', '4', 'Kinder bis 5 Euro Taschengeld melden nichts.', false],
    ['Ein Kurs über 5 Tage', '5', 'Der Kurs geht über 3 Tage und kostet 200 Euro.', false],
    ['Ein Kurs über 5 Tage', '5', 'Der Kurs läuft insgesamt über 3 Tage.', false],
    ['A course of 5 days', '5', 'The course runs over 3 days.', false],
    ['A course of 5 days', '5', 'The payments are spread over 3 days.', false],
    ['Eine Reise von 5 Tagen', '5', 'Reisen über 3 Tage werden vorher genehmigt.', true],
  ])('%s (%s) by “%s”: %s', (question, form, text, isCovered) => {
    const measure = measureOf(question, form);
    expect(measure !== null && coversMeasure(text, measure)).toBe(isCovered);
  });

  it.each([
    ['digits alone', '7'.repeat(100_000)],
    ['digits with a unit', `${'7'.repeat(100_000)} kg`],
    ['numbers in a row', '7, '.repeat(50_000)],
    ['numbers with points', '7.7'.repeat(35_000)],
    ['bounds in a row', 'not more than '.repeat(8_000)],
    ['ages in a row', 'aged 7 to '.repeat(12_000)],
    ['children in a row', 'children under '.repeat(8_000)],
    ['beginnings of ranges', 'between 7 '.repeat(10_000)],
  ])('reads a long text in steps that grow with its length: %s', (_what, text) => {
    expect(coversMeasure(text, { value: 5, unit: 'kg' })).toBe(false);
  });

  it('takes no more digits for a number than a number has', () => {
    expect(measureOf(`A parcel of ${'7'.repeat(100_000)} kg`, '7'.repeat(100_000))).toBeNull();
    expect(coversMeasure('Codes 1234567890123456789 kg to 9 kg', { value: 100, unit: 'kg' })).toBe(false);
  });

  it('knows no measure of a number without a unit', () => {
    expect(measureOf('What was the profit in 2024?', '2024')).toBeNull();
  });
});
