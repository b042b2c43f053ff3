import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeQuestion, QUESTION_LANGUAGES } from './make-question.js';

const MADE: readonly (readonly [string, string, string, string])[] = [
  [
    'en',
    'The hydraulic pump is serviced every 500 hours by the workshop.',
    'How often is the hydraulic pump serviced by the workshop?',
    'every 500 hours',
  ],
  [
    'en',
    'Every employee has 29 vacation days per year.',
    'How many vacation days does every employee have per year?',
    '29 vacation days',
  ],
  [
    'en',
    'A journey must be approved by the head of the department.',
    'By whom must a journey be approved?',
    'by the head of the department',
  ],
  ['en', 'A member can borrow five books at a time.', 'How many books can a member borrow at a time?', 'five books'],
  [
    'en',
    'Up to five unused days may be carried over until 31 March.',
    'Until when may up to five unused days be carried over?',
    'until 31 March',
  ],
  ['en', 'The price per winch is £4,125.00 plus VAT.', 'How much is the price per winch plus VAT?', '£4,125.00'],
  [
    'en',
    'The new hall costs $2.4 million without the land.',
    'How much does the new hall cost without the land?',
    '$2.4 million',
  ],
  ['en', 'The fee of the hall is £5 a day.', 'How much is the fee of the hall a day?', '£5'],
  ['en', 'The licence costs $40 per seat.', 'How much does the licence cost per seat?', '$40'],
  ['de', 'Der Beitrag beträgt 1.240,50 € im Jahr.', 'Wie viel beträgt der Beitrag im Jahr?', '1.240,50 €'],
  ['en', 'Windows are cleaned once a quarter.', 'How often are windows cleaned?', 'once a quarter'],
  ['en', 'The bridge was opened in March 1932.', 'When was the bridge opened?', 'in March 1932'],
  ['en', 'The valve of the boiler opens at 12 bar.', 'At how many bar does the valve of the boiler open?', 'at 12 bar'],
  ['en', 'A fuse is a part that protects a circuit.', 'What is a fuse?', 'a part that protects a circuit'],
  [
    'en',
    'The road was closed because the bridge had collapsed.',
    'Why was the road closed?',
    'because the bridge had collapsed',
  ],
  [
    'de',
    'Die Pumpe wird alle 500 Stunden von der Werkstatt gewartet.',
    'Wie oft wird die Pumpe von der Werkstatt gewartet?',
    'alle 500 Stunden',
  ],
  ['de', 'Der Beitrag beträgt 30 Euro im Jahr.', 'Wie viel Euro beträgt der Beitrag im Jahr?', '30 Euro'],
  [
    'de',
    'Das Gerät muss innerhalb von 14 Tagen geprüft werden.',
    'Innerhalb von wie vielen Tagen muss das Gerät geprüft werden?',
    'innerhalb von 14 Tagen',
  ],
  ['de', 'Eine Sicherung ist ein Bauteil, das einen Stromkreis schützt.', 'Was ist eine Sicherung?', 'ein Bauteil'],
  ['de', 'Die Brücke wurde im März 1932 eröffnet.', 'Wann wurde die Brücke eröffnet?', 'im März 1932'],
  [
    'de',
    'Die monatliche Pauschale beträgt 4.850,00 Euro zuzüglich Umsatzsteuer.',
    'Wie viel Euro beträgt die monatliche Pauschale zuzüglich Umsatzsteuer?',
    '4.850,00 Euro',
  ],
  [
    'de',
    'Die Maschine kostet 1.204.850,5 Franken ohne Aufbau.',
    'Wie viel Franken kostet die Maschine ohne Aufbau?',
    '1.204.850,5 Franken',
  ],
  [
    'de',
    'Die Miete beträgt 4’850.00 Franken im Monat.',
    'Wie viel Franken beträgt die Miete im Monat?',
    '4’850.00 Franken',
  ],
  [
    'de',
    'Die Anlage wird von der Bohnenwerk Vertriebs GmbH in Bremen gewartet.',
    'Von wem wird die Anlage in Bremen gewartet?',
    'von der Bohnenwerk Vertriebs GmbH',
  ],
  [
    'de',
    'Reservierungen sind mindestens drei Wochen vor der Abfahrt erforderlich.',
    'Mindestens wie viele Wochen sind Reservierungen vor der Abfahrt erforderlich?',
    'mindestens drei Wochen',
  ],
  [
    'en',
    'The monthly fee is 4,850.00 euros plus tax.',
    'How many euros is the monthly fee plus tax?',
    '4,850.00 euros',
  ],
  [
    'en',
    'The ferry was named by the former keeper Edda Rowntree.',
    'By whom was the ferry named?',
    'by the former keeper Edda Rowntree',
  ],
  [
    'en',
    'The hydraulic pump of the machine hall is\nserviced every 500 hours by the workshop.',
    'How often is the hydraulic pump of the machine hall serviced by the workshop?',
    'every 500 hours',
  ],
  [
    'de',
    'Die Zahlung ist binnen 30 Tagen ohne Abzug fällig.',
    'Binnen wie vielen Tagen ist die Zahlung ohne Abzug fällig?',
    'binnen 30 Tagen',
  ],
  ['de', 'Das Gehäuse besteht aus zwei Teilen.', 'Aus wie vielen Teilen besteht das Gehäuse?', 'aus zwei Teilen'],
  [
    'en',
    'Requests are answered within five working days.',
    'Within how many working days are requests answered?',
    'within five working days',
  ],
  [
    'en',
    'The refund takes 14 business days at most.',
    'How many business days does the refund take at most?',
    '14 business days',
  ],
  [
    'en',
    'The owner of the hall has two parking places.',
    'How many parking places does the owner of the hall have?',
    'two parking places',
  ],
  [
    'fr',
    'Le loyer de la salle coûte 4 850,00 euros par an.',
    'Combien d’euros est-ce que le loyer de la salle coûte par an ?',
    '4 850,00 euros',
  ],
  [
    'fr',
    'La pompe est révisée toutes les 500 heures.',
    'À quelle fréquence est-ce que la pompe est révisée ?',
    'toutes les 500 heures',
  ],
  [
    'fr',
    'L’adhérent peut emprunter cinq livres.',
    'Combien de livres est-ce que l’adhérent peut emprunter ?',
    'cinq livres',
  ],
  ['fr', 'Le pont a été ouvert en mars 1932.', 'Quand est-ce que le pont a été ouvert ?', 'en mars 1932'],
  [
    'fr',
    'Un fusible est une pièce qui protège un circuit.',
    'Qu’est-ce qu’un fusible ?',
    'une pièce qui protège un circuit',
  ],
  [
    'es',
    'La bomba se revisa cada 500 horas en el taller.',
    '¿Con qué frecuencia se revisa la bomba en el taller?',
    'cada 500 horas',
  ],
  ['es', 'Cada empleado tiene 29 días de vacaciones.', '¿Cuántos días tiene cada empleado de vacaciones?', '29 días'],
  ['es', 'El puente fue abierto en marzo de 1932.', '¿Cuándo fue el puente abierto?', 'en marzo de 1932'],
  ['zh', '水泵每500小时保养一次。', '水泵每隔多长时间保养一次？', '每500小时'],
  ['zh', '会员每次最多可以借阅五本书。', '会员每次最多可以借阅多少本书？', '五本'],
  ['zh', '悉尼大桥于1932年3月通车。', '悉尼大桥于什么时候通车？', '1932年3月'],
  ['zh', '保险丝是一种保护电路的元件。', '保险丝是什么？', '一种保护电路的元件'],
];

const NOT_MADE: readonly (readonly [string, string])[] = [
  ['en', 'It is serviced every 500 hours by the workshop.'],
  ['en', 'The pump that is installed in hall 3 is serviced daily.'],
  ['en', '- The pump is serviced every 500 hours by the workshop.'],
  ['en', 'Is the pump serviced every 500 hours by the workshop?'],
  ['en', 'The value of x[3] is serviced every 500 hours.'],
  ['en', 'Pumps and valves of all kinds stand in the hall.'],
  ['de', 'Sie wird alle 500 Stunden von der Werkstatt gewartet.'],
  ['de', 'Das ist seit 1990 in allen Werken so üblich gewesen.'],
  ['fr', 'Elle est révisée toutes les 500 heures par l’atelier.'],
  ['es', 'Esta se revisa cada 500 horas en el taller central.'],
  ['zh', '这座大桥于1932年3月全线通车。'],
  // A part of a range, of a list, of a second statement, or what a preposition belongs to, is asked for by no question.
  ['de', 'Lieferverkehr ist nur zwischen 6 und 9 Uhr zugelassen.'],
  ['de', 'Die Anzahlung beträgt 25 Prozent und ist binnen zehn Tagen zu überweisen.'],
  ['de', 'Vollzeitkräfte haben Anspruch auf 30 Urlaubstage im Kalenderjahr.'],
  ['de', 'Verantwortlich ist die Tidewell Fähren Nord GmbH.'],
  ['de', 'Beim Tod naher Angehöriger sind es drei Tage.'],
  ['de', 'Jede weitere kostet 40 Euro am Tag.'],
  ['de', 'Die monatliche Pauschale beträgt 850 Euro zzgl.'],
  ['en', 'Dishes without meat are offered on Tuesdays and Thursdays.'],
  ['en', 'Cruising speed on the route is limited to 12 knots with immediate effect.'],
  ['en', 'The cafeteria opens 20 minutes after casting off and shuts 25 minutes before docking.'],
  ['en', 'A voucher is valid for three years and cannot be exchanged for money.'],
  ['en', 'The hall holds 10-20 persons at once.'],
  ['de', 'Vergütung\nDie monatliche Pauschale beträgt 850 Euro.'],
  ['es', 'El acuerdo tiene una vigencia de dos años y se prorroga tácitamente.'],
  ['fr', 'Une majoration de 4 euros est appliquée aux achats effectués par téléphone.'],
  ['de', 'Der Mieter hat ein einmaliges Optionsrecht auf Verlängerung um weitere drei Jahre.'],
  ['en', 'The tenant has a right to an extension by a further three years.'],
  ['de', 'Die Teilnahmegebühr beträgt 95 Euro, Studierende zahlen 40 Euro.'],
  ['en', 'Main Concern is the migration, which took nine months last time.'],
  ['de', 'Offen ist die Löschfrist für Bewerbungsunterlagen und Zeugnisse.'],
  ['de', 'Neu ist der Parkplatz hinter der Halle der Spedition.'],
  ['de', 'Der Vorschlag ist die Löschfrist für Bewerbungen: sechs Monate.'],
  ['en', 'The fee of the hall is £5 to £7 a day.'],
  ['en', 'The fee of the hall is £5-£7 a day.'],
  ['en', 'The fee of the hall is £5 - £7 a day.'],
  ['de', 'Der Beitrag beträgt 20 € bis 40 € im Monat.'],
  ['de', 'Der Beitrag beträgt 20 Euro bis 40 Euro im Monat.'],
  ['fr', 'La salle coûte 20 euros à 40 euros par jour.'],
  ['en', 'The scheme offers £500 grants to young artists.'],
  ['de', 'Grund ist der Tausch der Kompressoren gegen zwei Anlagen.'],
  ['de', 'Grund ist der Tausch der Anlage im Mai 2024.'],
  ['de', 'Ursache war ein Leck im Keller des Hauses.'],
  ['de', 'Der Umzug ist ohne drei Anlagen nicht möglich.'],
  ['de', 'Das Haus liegt in zwei Straßenzüge.'],
  ['de', 'Pro Woche sind höchstens drei Tage Homeoffice erlaubt.'],
  ['de', 'Nächste Woche wird die Halle bis Freitag geschlossen.'],
  ['en', 'Starting Monday 08 September the car park will be closed for two weeks.'],
  ['en', 'Every second Friday the hall is closed at 4 pm.'],
  ['it', 'La pompa viene revisionata ogni 500 ore in officina.'],
];

describe('a question made of a sentence', () => {
  it.each(MADE)('makes a question in %s from "%s"', (language, sentence, question, answer) => {
    expect(makeQuestion(sentence, language)).toEqual({ question, answer });
  });

  it.each(NOT_MADE)('is not made in %s of "%s"', (language, sentence) => {
    expect(makeQuestion(sentence, language)).toBeUndefined();
  });

  it('takes its answer from the sentence, whatever that is', () => {
    const parts = fc.constantFrom(
      'The pump',
      'is',
      'every 500 hours',
      'la',
      '水泵',
      'alle 3 Tage',
      'because',
      ',',
      '29',
      'days',
      'in 1990',
      ' ',
    );
    const sentence = fc.array(parts, { minLength: 3, maxLength: 14 }).map((list) => `${list.join(' ')}.`);
    fc.assert(
      fc.property(sentence, fc.constantFrom(...QUESTION_LANGUAGES), (text, language) => {
        const made = makeQuestion(text, language);
        if (made === undefined) return;
        expect(text.replace(/\s+/gu, ' ')).toContain(made.answer);
        expect(made.question).toMatch(/[?？]$/u);
      }),
    );
  });
});
