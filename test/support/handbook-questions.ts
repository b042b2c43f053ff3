/** Ten files of an office, with questions about them as people ask them: tables, possessives, amounts, periods and contacts. */
export const HANDBOOK_FILES: Readonly<Record<string, string>> = {
  'building.md': `# Building

The main entrance is open from 6:30 to 20:00. Outside these hours a chip card with a code opens the side door in Tanner Lane.

Bicycles are parked in the cellar; the key hangs at reception. In case of fire everybody meets at the car park of the church.
`,
  'it-support.md': `# IT support

The helpdesk answers Monday to Friday from 8:00 to 17:00.

| Matter | Contact | Telephone |
|---|---|---|
| Broken or lost hardware | Imogen Thwaite | 01632 960 114 |
| Passwords and accounts | Rashid Omar | 01632 960 118 |
| Telephones | Carla Benning | 01632 960 121 |

Defective devices are exchanged within two working days.
`,
  'parental-leave.txt': `Parental leave

The wish to take parental leave is announced in writing seven weeks before it begins.
The post is kept free for up to three years. Whoever wants to come back earlier speaks with Oluwaseun Grant in the personnel office.
Fathers and partners receive two weeks of paid leave at the birth of a child.
`,
  'purchasing.md': `# Purchasing

Orders below 800 EUR may be placed by any employee without approval. Orders from 800 EUR to 5,000 EUR are approved by the head of department. Above that three offers are obtained and the board decides.

Invoices are paid within 30 days of receipt.
`,
  'sickness.md': `# Sickness

Employees who are ill tell their team lead before 9:00 on the first day.

## Certificates

A medical certificate is required from the third day of absence. It is handed in at the personnel office within a week.

## Sick children

Parents may stay at home for up to ten days a year to care for an ill child.
`,
  'staff-grades.md': `# Staff grades

Every post belongs to a grade. The table applies to contracts signed after 1 January 2025.

| Grade | Notice period | Probation | Holiday allowance |
|---|---|---|---|
| G1 | 4 weeks | 3 months | 26 days |
| G2 | 6 weeks | 4 months | 27 days |
| G3 | 3 months | 6 months | 28 days |
| G4 | 6 months | 6 months | 30 days |
`,
  'telework.md': `# Working from home

Two days a week may be worked from home after the probation period. On Mondays everyone is present for the team meeting.

The company lends a screen and a chair. Electricity and internet are not reimbursed.
`,
  'training.md': `# Training

Each employee has a training budget of 1,200 EUR a year. Courses that last longer than five days need a repayment agreement: whoever leaves within two years pays back half of the fee.

Language courses take place on Wednesdays in room 2.14.
`,
  'travel.md': `# Business travel

Journeys are booked through the travel desk. Second class is used on trains; first class is allowed for journeys of more than three hours.

The mileage allowance for a private car is 0.38 EUR per kilometre. Hotel rooms are reimbursed up to 135 EUR a night, in capitals up to 180 EUR.
`,
  'urlaub.md': `# Urlaub

Vollzeitkräfte erhalten 29 Urlaubstage im Jahr. Teilzeitkräfte erhalten den Anteil, der ihrer Arbeitszeit entspricht.

Resturlaub verfällt am 31. März des folgenden Jahres. Anträge werden spätestens drei Wochen vor dem ersten freien Tag gestellt.
`,
};

/** A question, and what a right answer holds; null where the files hold no answer, so that it is refused. */
export type HandbookQuestion = readonly [question: string, holds: string | null];

export const HANDBOOK_QUESTIONS: readonly HandbookQuestion[] = [
  ['How long is the notice period for grade G3?', '3 months'],
  ["What's the notice if I'm in grade G2?", '6 weeks'],
  ['How long is the notice period for grade G7?', null],
  ['What is the phone number for passwords?', '01632 960 118'],
  ['What is the telephone number of the personnel office?', null],
  ["My laptop's broken, who do I turn to?", 'Imogen Thwaite'],
  ["Do I need a doctor's note?", 'certificate is required'],
  ['How many days can I stay at home with my sick kid?', 'ten days'],
  ['Who signs off an order of 2,000 euros?', 'head of department'],
  ['Up to which amount can I buy something without asking anybody?', '800 EUR'],
  ['How much do I get per kilometre if I drive my own car?', '0.38 EUR'],
  ['How much does the company pay for my internet at home?', 'not reimbursed'],
  ["Can't I work from home on a Monday?", 'everyone is present'],
  ['Where do I leave my bike?', 'cellar'],
  ["What's the parking fee for visitors?", null],
];
