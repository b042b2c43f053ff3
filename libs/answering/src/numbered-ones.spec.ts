import { describe, expect, it } from 'vitest';
import { isOfOtherNumber } from './numbered-ones.js';

const CLASSES = 'Class | Year | Teacher | Room';

describe('isOfOtherNumber', () => {
  it.each([
    ['Who teaches Year 7?', 'Maple | Year 4 | Mr Prior | 7', CLASSES],
    ['Who teaches year 7?', 'Maple | 4 | Mr Prior | 7', CLASSES],
    ['Who teaches Year 7?', 'Years 3 to 6 have one piece of maths a week.', null],
    ['Wer reinigt Haus 18?', 'Haus 16 und 17 werden montags gereinigt.', null],
    ['Où va le bus 12 ?', 'Le bus 14 part à 12 h.', null],
    ['Wann ist Block D geöffnet?', 'Block C ist im Sommer geöffnet.', null],
    ['When is Block D open?', 'Blocks A, B and C are open all year.', null],
    ['Who cleans row G?', 'Rows A to F are cleaned on Mondays.', null],
    ['What does tariff B cost?', 'Tariff A costs 12 euros (see B below).', null],
    ['When is Block D open?', 'C | June to September', 'Block | Open'],
  ])('tells that another one is meant: %s – %s', (question, own, header) => {
    expect(isOfOtherNumber(question, own, header)).toBe(true);
  });

  it.each([
    ['Who teaches Year 7?', 'Ash | Year 7 | Ms Lowe | 4', CLASSES],
    ['Who teaches year 7?', 'Ash | 7 | Ms Lowe | 4', CLASSES],
    ['What does lunch cost in Year 5?', 'Lunch | Years 3 to 6 | 2.75', 'Item | Who | Charge'],
    ['Is gardening for year 1?', 'Gardening | R-2', 'Club | Years'],
    ['May Year 6 bring phones?', 'Only pupils in Years 5 and 6 bring a phone.', null],
    ['May Year 3 bring phones?', 'Only pupils in Years 5 and 6 bring a phone.', null],
    ['May Year 6 swim?', 'From Year 5 on all children swim.', null],
    ['May Year 6 swim?', 'Year 5 and above swim.', null],
    ['What does a stay of 3 nights cost?', 'A stay of 2 nights costs 80 euros.', null],
    ['What happens on 7 May?', 'On May 9 the hall is closed.', null],
    ['Who is in room 12?', 'The caretaker is there until 4.', null],
    ['When is Block B open?', 'Blocks A, B and C are open all year.', null],
    ['Who cleans row D?', 'Rows A to F are cleaned on Mondays.', null],
    ['Where may I park?', 'May A and B park here?', null],
    ['What should I bring?', 'Bring A4 paper.', null],
    ['When is Block D open?', 'The pool is open until 20:00.', null],
    ['When is Block D open?', 'D | June to September', 'Block | Open'],
    ['Is vitamin C sold here?', 'Tablets of vitamin C are sold at the counter.', null],
  ])(
    'says nothing where it is the same one, a span or a bound that holds it, or no such name: %s – %s',
    (question, own, header) => {
      expect(isOfOtherNumber(question, own, header)).toBe(false);
    },
  );
});
