import { describe, expect, it } from 'vitest';
import { analyzeChunk, decodeTerms, encodeTerms, summarizeTerms, TermStatistics } from '#libs/ranking';
import { ANSWERED_THRESHOLD, judgeAnswered, measureAnswered } from './answered.js';
import { answerExtractively } from './answer-extractively.js';
import { profileQuestion } from './question-profile.js';

function profileOf(question: string, texts: readonly string[]): ReturnType<typeof profileQuestion> {
  const statistics = new TermStatistics();
  statistics.add(summarizeTerms(texts.map((text) => decodeTerms(encodeTerms(analyzeChunk({ text }))))));
  return profileQuestion(question, statistics);
}

function answered(question: string, texts: readonly string[]): number {
  return measureAnswered(
    profileOf(question, texts),
    texts.map((text) => ({ text, title: '' })),
  );
}

const SITES = 'Site | Staff | Opened\nAarhus | 34 | 2011\nPorto | 12 | 2023';
const TURNOVER = 'A turnover of 8.4 million EUR was reported for 2025, after 7.9 million in 2024.';
const CANTEEN = 'From June the canteen in Leeds opens at 11:30 instead of 12:00.';

const CHOIR =
  'Head of the choir: Ida Holt\nPiano tuning: Klaver Ltd, contract until 2028\nTreasurer: Bo Lind\nLibrary: Jo Fenn';
const NETWORKS =
  'Networks\n\nCrew network: a certificate is needed\nVisitor network: password "harbour-7"\nPrinters: only in the hall';
const PLANS =
  'Plan | Price | API calls per day | Visit logs\nTeam | 6 EUR | 500 | no\nBusiness | 11 EUR | 900 | 90 days\nEnterprise | 19 EUR | unlimited | unlimited';
const FIRMS =
  'Firma | Zweck | Land\nEmerald Systeme | Rechenzentrum | Irland\nZahlwerk | Lohnabrechnung | Niederlande\nPost24 | Briefe | Österreich';

describe('something alike', () => {
  it.each([
    ['How many days of leave do part-time staff have?', ['Full-time staff have 28 days of leave.']],
    ['Which coaches are second-class?', ['The coaches at the front are first-class.']],
    ['Combien de jours ont les salariés à temps partiel ?', ['Les salariés à temps plein ont 28 jours.']],
    ['Does the campsite have a swimming pool?', ['At the campsite dogs may swim beyond the boathouse.']],
    ['Is there a sauna at the campsite?', ['Dogs are welcome at the campsite.']],
    ['How high may the hedge of a pitch be?', ['In high season a pitch is booked for at least 3 nights.']],
    ['Gibt es auf dem Campingplatz eine Sauna?', ['Auf dem Campingplatz sind Hunde willkommen.']],
    ['What does a cabin cost per night?', ['All other cabins are kept free of animals at night.']],
    ['Is the snack bar open on Tuesdays in July?', ['Meals at the snack bar are half price on working days.']],
    ['Can my 12 year old swim alone?', ['Open on Sundays from 12 to 3 pm.', 'The holiday is 27 days a year.']],
    ['How do I get in after midnight?', ['Dogs are welcome and cost 18 euros a night.']],
    ['Welche Firma baut die alten Ladesäulen ab?', ['Auf dem Hof stehen vier neue Ladesäulen der Firma Wanninger.']],
    ['When does check-in start?', ['A late check-out until 2 pm costs 30 euros.']],
    ['What is the extension of Dolores Quint?', ['Work is approved by Dolores Quint.', 'Petra Hollins, extension 31.']],
    ['Who is the dentist of the company?', ['The company pays when the address was wrong.']],
    [
      'Wie lange dauert die Nachtschicht?',
      [
        'Die Frühschicht dauert von 6.30 bis 14.30 Uhr, die Spätschicht von 14.00 bis 22.00 Uhr. Nachts ist der Portier, Herr Yilmaz, allein.',
      ],
    ],
    ['¿Cuántos días tienen los empleados a tiempo parcial?', ['Los empleados a tiempo completo tienen 28 días.']],
    ['兼职员工有多少天年假？', ['全职员工有二十八天年假。']],
    ['What was the turnover in 2023?', [TURNOVER, SITES]],
    ['When does the canteen in Aarhus open?', [CANTEEN, SITES]],
    ['What does a parcel of 12 kg cost?', ['Parcels of not more than 5 kg cost 9 euros.']],
    ['What does a ticket for 48 hours cost?', ['Tickets for 24 and 72 hours cost 9 and 19 euros.']],
    [
      'What is the rent of the Aarhus practice?',
      ['Item | Practice | Price\nMasks | Aarhus | 0.12\nGloves | Aarhus | 8.40'],
    ],
    ['What is the rent of the practice in Larn?', ['The practice in Larn opens at nine.']],
    ['What is the mileage of the van in Aarhus?', ['Vehicle | Place | Year\nVan | Aarhus | 2021\nCar | Aarhus | 2020']],
    ['What are the opening hours?', ['Outside opening hours, call the porter.']],
    [
      'Who teaches Year 7?',
      [
        'Class | Year | Teacher | Room\nRowan | Year 2 | Mrs Dent | 4\nMaple | Year 4 | Mr Prior | 7\nOak | Year 5 | Mrs Sadiq | 8',
      ],
    ],
    ['Who signs form K-21?', ['Forms K-10 to K-20 are signed by the team lead.']],
    ['Wer zahlt die Miete der Wohnung in Leipzig?', ['Die Miete der Wohnung in Hull zahlt die Firma Keller.']],
    ['Was kostet ein Kurs über 5 Tage?', ['Der Kurs geht über 3 Tage und kostet 200 Euro.']],
    ['How many lockers does Mill House have?', ['It holds for the 40 rooms of Mill House.']],
    ['Until when can I do my ironing at Mill House?', ['The rents of Mill House rise by 3 % on 1 July 2026.']],
    ['Which crews take four weeks?', ['Invoices are due within four weeks.']],
    ['What bonus did they promise in 2023?', ['It replaces the rules of 1 June 2023.']],
    ['How long does the head of the choir take to answer?', [CHOIR]],
    ['What is the password of the crew network?', [NETWORKS]],
    ['What does the full-day tour cost?', ['The tour takes half a day and costs 90 euros.']],
    ['Was kostet die ganztägige Führung?', ['Die halbtägige Führung kostet 90 Euro.']],
    ['How many days after the audit is the list due?', ['Audits are announced five days ahead.']],
    ['How many days before the audit is the list due?', ['The list is due five days after the audit.']],
    ['When does version 2 of the form end?', ['Version 4.2 of the form ends on 1 May 2026.']],
    ['How many suitcases may all passengers carry in all?', ['Each passenger may carry two suitcases.']],
    ['Wie viele Koffer dürfen alle Fahrgäste insgesamt tragen?', ['Jeder Fahrgast darf zwei Koffer tragen.']],
  ])('is no answer: %s', (question, texts) => {
    expect(answered(question, texts)).toBeLessThan(ANSWERED_THRESHOLD);
  });

  it.each([
    ['When does check-in start?', ['Check-in starts at 3 pm, check-out is until 11 am.']],
    [
      'Wie lange dauert die Spätschicht?',
      ['Die Frühschicht dauert von 6.30 bis 14.30 Uhr, die Spätschicht von 14.00 bis 22.00 Uhr.'],
    ],
    ['What is the extension of Petra Hollins?', ['Petra Hollins, extension 31. Marek Dudek, extension 32.']],
    ['How many days of leave do full-time staff have?', ['Full-time staff have 28 days of leave.']],
    ['How many days of leave do part-time staff have?', ['Full-time staff have 28 days of leave, part-time staff 14.']],
    ['兼职员工有多少天年假？', ['兼职员工有十四天年假。']],
    ['What was the turnover in 2025?', [TURNOVER, SITES]],
    ['When did the site in Porto open?', [CANTEEN, SITES]],
    ['How many staff are in Porto?', [TURNOVER, SITES]],
    ['What does a parcel of 12 kg cost?', ['Parcels of not less than 5 kg cost 9 euros.']],
    ['Wie lange dauert eine Reparatur im Schnitt?', ['Im Schnitt dauert eine Reparatur drei Tage.']],
    ['How many rooms are there in all?', ['There are 12 rooms in all.']],
    ['Wie viele Mitarbeiter hat die Firma insgesamt?', ['Die Firma hat 340 Mitarbeiter.']],
    ['How long does delivery to customers take on average?', ['Delivery to customers usually takes three days.']],
    ['How many people may work together in the lab?', ['Up to six people may work in the lab.']],
    ['Combien de salles y a-t-il en tout ?', ['Il y a 12 salles en tout.']],
    ['Wer zahlt die Behandlung bei Unfall?', ['Die Behandlung bei Unfällen zahlt die Berufsgenossenschaft.']],
    ['Wer gibt Hilfe bei Fragen zum Drucker?', ['Hilfe bei Problemen mit dem Drucker gibt der Helpdesk.']],
    ['Wer leitet die Übungen in Gruppe?', ['Die Übungen in Gruppen leitet Frau Adler.']],
    ['Who approves an expense of USD 800?', ['Expenses up to USD 1000 are approved by the team lead.']],
    ['Who approves an expense of CHF 800?', ['Expenses up to CHF 1000 are approved by the team lead.']],
    ['Who signs form K-18?', ['Forms K-10 to K-20 are signed by the team lead.']],
    ['Who signs form K-18?', ['Forms K-10–K-20 are signed by the team lead.']],
    ['Wer unterschreibt Formular K-18?', ['Die Formulare K-10 bis K-20 unterschreibt die Teamleitung.']],
    ['How long are visit logs kept on Business?', [PLANS]],
    ['How many API calls a day does Business have?', [PLANS]],
    ['Wer übernimmt die Lohnabrechnung?', [FIRMS]],
    ['In welchem Land sitzt Emerald Systeme?', [FIRMS]],
    ['What is the deposit?', ["The deposit is two months' net rent."]],
    ['How long does the safety course last?', ['The safety course: four hours.']],
    ['¿Quién puede abrir el almacén?', ['Solo un administrador puede abrir el almacén.']],
    ['Wer putzt im Seehof die Treppe?', ['Die Reinigung der Treppe übernimmt im Seehof die Firma Blank.']],
    ['Who is the head of the choir?', [CHOIR]],
    ['Who has duty in week 16?', ['Week 15: Nadia Holt\nWeek 16: Oskar Lund\nWeek 17: Bo Frey']],
    [
      'What is the code for visitors?',
      ['Networks\n\nCrew network: a certificate\nVisitor network: password "harbour-7"'],
    ],
    ['What is the password of the visitor network?', [NETWORKS]],
    ['How many days after the audit is the list due?', ['The list is due five days after the audit.']],
    ['What does the full-day tour cost?', ['The full-day tour costs 150 euros, half a day 90.']],
    ['When does version 2 of the form end?', ['Version 2 of the form ends on 1 May 2026.']],
    ['What does a ticket for 24 hours cost?', ['Tickets for 24 and 72 hours cost 9 and 19 euros.']],
  ])('is told beside what is asked: %s', (question, texts) => {
    expect(answered(question, texts)).toBeGreaterThanOrEqual(ANSWERED_THRESHOLD);
  });
});

describe('what is asked of something', () => {
  const crew = '| Name | Role | Salary |\n|---|---|---|\n| Ada Berg | pilot | 4200 |\n| Bo Lind | engineer | 3900 |';
  const wages = crew.replace('Salary', 'Monthly pay');

  it.each([
    ['What is the salary of Bo Lind?', [crew]],
    ['What is the salary of Bo Lind?', [wages]],
    ['What is the salary of Bo Lind?', ['Bo Lind earns 3,900 a month.']],
    ['What is the rent of the flat in Larn?', ['The flat in Larn costs 800 euros a month.']],
  ])('is answered though it may be called otherwise: %s', (question, texts) => {
    expect(answered(question, texts)).toBeGreaterThanOrEqual(ANSWERED_THRESHOLD);
  });
});

describe('a text that asks questions and answers them', () => {
  const FAQ =
    'Who assembles the furniture?\n\nOur fitters come for free above 1,500 EUR, else for 59 EUR.\n\nDo you have a shop?\n\nThe shop is in Leeds.';

  it('is quoted with what follows the question that is meant, never with that question', () => {
    const question = 'Must I pay someone to put it together?';
    const likeness = [2.4, 0.3, 0.2, 0.1];
    const { isMeant } = judgeAnswered(profileOf(question, [FAQ]), [{ text: FAQ, title: '', likeness }], 1.5);
    const found = answerExtractively(question, [{ number: 1, text: FAQ, score: 1, likeness }]);
    expect(isMeant).toBe(true);
    expect(found?.answer).toBe('Our fitters come for free above 1,500 EUR, else for 59 EUR. [1]');
  });
});
