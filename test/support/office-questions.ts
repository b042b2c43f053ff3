import type { KnownAnswer } from './provider-process.js';

/** Documents of an office in two languages, for chats with doubles of a chat model. */
export const OFFICE_DOCUMENTS: Readonly<Record<string, string>> = {
  'leave.md':
    '# Leave\n\nFull-time staff receive 27 days of paid leave a year. Requests reach the team lead at least two weeks before the first day off. Up to five unused days may be carried over until 31 March.',
  'visitors.md':
    '# Visitors\n\nVisitors sign in at the front desk in Ashmouth and wear a yellow badge. Dogs are not allowed in the building. Deliveries are accepted at the rear gate from 7:00 to 15:30.',
  'expenses.md':
    '# Expenses\n\nMeals on business trips are reimbursed up to 38 EUR a day. Receipts are handed in by the tenth of the following month. Claims over 1,000 EUR are approved by Helen Marsh.',
  'computers.md':
    '# Computers\n\nPasswords are changed every 90 days. Laptops may be taken abroad after approval by the security officer. Lost devices are reported to Owen Pritchard within one hour.',
  'apprentices.md':
    '# Apprentices\n\nIn the first year apprentices earn 980 EUR a month, in the third year 1,210 EUR. The school in Brenfield is attended on Mondays.',
  'arbeitszeit.md':
    '# Arbeitszeit\n\nDie Kernzeit dauert von 9:30 bis 15:00 Uhr. Überstunden werden innerhalb von sechs Monaten ausgeglichen. Die Zeitkarten verwaltet Frau Lindner in Kronstedt.',
  'fuhrpark.md':
    '# Fuhrpark\n\nDienstwagen werden dienstags in der Werkstatt in Auental geprüft. Private Fahrten sind nicht erlaubt. Das Tankbuch wird drei Jahre aufbewahrt.',
  'kantine.md':
    '# Kantine\n\nDas Mittagessen kostet 6,80 EUR. Die Kantine ist von 11:30 bis 14:00 Uhr geöffnet. Allergene stehen auf dem Aushang.',
};

/** A question over them. */
export interface OfficeQuestion extends KnownAnswer {
  /** The sentence that `invents` says. */
  readonly invented: string;
  /** What is wrong in it. */
  readonly wrong: string;
  /** The document that answers; null where none does. */
  readonly document: string | null;
  /** The same in another language. */
  readonly foreign?: string;
  /** What was said before, question and answer in turns. */
  readonly earlier?: readonly string[];
}

function answered(
  document: string,
  question: string,
  part: string,
  [wrong, invented]: readonly [string, string],
  more: Pick<OfficeQuestion, 'foreign' | 'earlier'> = {},
): OfficeQuestion {
  return { document, question, holds: [part], wrong, invented, ...more };
}

/** Questions in people's own words that one of the documents answers. */
export const ANSWERED: readonly OfficeQuestion[] = [
  answered(
    'leave.md',
    'How many days of leave do people get each year?',
    '27 days',
    ['number', 'Full-time staff receive 31 days of paid leave a year.'],
    {
      foreign: 'Vollzeitkräfte erhalten 27 Tage bezahlten Urlaub im Jahr.',
    },
  ),
  answered(
    'leave.md',
    'How long before my first day off must the request be there?',
    'two weeks',
    ['number in words', 'Requests reach the team lead at least four weeks before the first day off.'],
    {
      foreign: 'Anträge gehen mindestens zwei Wochen vor dem ersten freien Tag an die Teamleitung.',
    },
  ),
  answered(
    'visitors.md',
    'Can I bring my dog into the building?',
    'Dogs are not allowed',
    ['negation left out', 'Dogs are allowed in the building.'],
    {
      foreign: 'Hunde dürfen nicht mit in das Gebäude genommen werden, sie sind dort nicht erlaubt.',
    },
  ),
  answered('visitors.md', 'Where does a visitor sign in?', 'Ashmouth', [
    'place',
    'Visitors sign in at the front desk in Vellburg and wear a yellow badge.',
  ]),
  answered(
    'visitors.md',
    'Until when does the gate take deliveries?',
    '15:30',
    ['time', 'Deliveries are accepted at the rear gate from 7:00 to 17:30.'],
    {
      foreign: 'Lieferungen nimmt das hintere Tor von 7:00 bis 15:30 Uhr an.',
    },
  ),
  answered('expenses.md', 'Who approves a claim of more than 1000 EUR?', 'Helen Marsh', [
    'person',
    'Claims over 1,000 EUR are approved by Peter Quill.',
  ]),
  answered('expenses.md', 'How much do I get for meals when I am on a business trip?', '38 EUR', [
    'currency',
    'Meals on business trips are reimbursed up to 38 USD a day.',
  ]),
  answered('computers.md', 'To whom do I report that I have lost my laptop?', 'Owen Pritchard', [
    'person',
    'Lost devices are reported to Owen Pettigrew within one hour.',
  ]),
  answered(
    'computers.md',
    'How often must I change my password?',
    '90 days',
    ['unit', 'Passwords are changed every 90 weeks.'],
    {
      foreign: 'Kennwörter werden alle 90 Tage geändert.',
    },
  ),
  answered('apprentices.md', 'On which day do apprentices go to school?', 'Mondays', [
    'day',
    'The school in Brenfield is attended on Thursdays.',
  ]),
  answered(
    'arbeitszeit.md',
    'Von wann bis wann ist Kernzeit?',
    '9:30',
    ['time', 'Die Kernzeit dauert von 9:30 bis 16:00 Uhr.'],
    {
      foreign: 'Core hours are from 9:30 to 15:00.',
    },
  ),
  answered('arbeitszeit.md', 'Wer kümmert sich um die Zeitkarten?', 'Frau Lindner', [
    'person',
    'Die Zeitkarten verwaltet Frau Winkler in Kronstedt.',
  ]),
  answered('fuhrpark.md', 'In welcher Werkstatt werden die Dienstwagen geprüft?', 'Auental', [
    'place',
    'Dienstwagen werden dienstags in der Werkstatt in Vellburg geprüft.',
  ]),
  answered(
    'fuhrpark.md',
    'Darf ich mit dem Dienstwagen private Fahrten machen?',
    'Private Fahrten',
    ['negation left out', 'Private Fahrten sind erlaubt.'],
    {
      foreign: 'Personal journeys with a company car are not permitted.',
    },
  ),
  answered(
    'fuhrpark.md',
    'Wie viele Jahre wird das Tankbuch aufgehoben?',
    'drei Jahre',
    ['number in words', 'Das Tankbuch wird fünf Jahre aufbewahrt.'],
    {
      foreign: 'The fuel log is kept for three years.',
    },
  ),
  answered(
    'computers.md',
    'And how soon?',
    'within one hour',
    ['unit', 'Lost devices are reported to Owen Pritchard within one week.'],
    {
      earlier: ['To whom do I report that I have lost my laptop?', 'Lost devices are reported to Owen Pritchard. [1]'],
    },
  ),
  answered(
    'arbeitszeit.md',
    'Und wann werden Überstunden ausgeglichen?',
    'sechs Monaten',
    ['number in words', 'Überstunden werden innerhalb von acht Monaten ausgeglichen.'],
    {
      earlier: ['Von wann bis wann ist Kernzeit?', 'Die Kernzeit dauert von 9:30 bis 15:00 Uhr. [1]'],
    },
  ),
];

/** Questions about something alike: another place, another of several, another person, another year. */
export const NEAR_MISSES: readonly OfficeQuestion[] = [
  {
    document: null,
    holds: [],
    wrong: 'place',
    question: 'Where does a visitor sign in at Holmsay?',
    invented: 'Visitors sign in at the front desk in Holmsay and wear a yellow badge.',
  },
  {
    document: null,
    holds: [],
    wrong: 'one of several',
    question: 'What do apprentices earn in the second year?',
    invented: 'In the second year apprentices earn 980 EUR a month.',
  },
  {
    document: null,
    holds: [],
    wrong: 'person',
    question: 'Which claims does Martin Oakes approve?',
    invented: 'Claims over 1,000 EUR are approved by Martin Oakes.',
  },
  {
    document: null,
    holds: [],
    wrong: 'year',
    question: 'Was kostete das Mittagessen im Jahr 2019?',
    invented: 'Das Mittagessen kostete 2019 nur 6,80 EUR.',
  },
  {
    document: null,
    holds: [],
    wrong: 'person',
    question: 'Welche Zeitkarten verwaltet Herr Ostrow?',
    invented: 'Die Zeitkarten verwaltet Herr Ostrow in Kronstedt.',
  },
];

/** What is no question. */
export const SMALL_TALK: readonly string[] = ['Hello!', 'Vielen Dank!'];
