import { describe, expect, it } from 'vitest';
import { answerContainment, citationExactness, citationPrecision, citationRecall, tokenF1 } from './answer-metrics.js';
import { resolveCitations } from './citations.js';

const SOURCES = [
  { number: 1, start: 0, text: 'The pump is serviced every 400 hours. The valve is made of brass.' },
  { number: 2, start: 0, text: 'Journeys are approved by the head of the department.' },
];

function measure(answer: string): readonly (number | null)[] {
  const cited = resolveCitations(answer, SOURCES);
  const citations = cited.citations.map((one) => ({ ...one, isExact: one.number === 1 }));
  return [citationPrecision(citations), citationRecall(cited.answer, citations), citationExactness(citations)];
}

describe('citations of an answer', () => {
  it.each([
    ['The pump is serviced every 400 hours. [1]', [1, 1, 1]],
    ['The pump is serviced every 400 hours. [2]', [0, 0, 0]],
    ['The pump is serviced every 400 hours. [1][2]', [1 / 2, 1, 1 / 2]],
    ['The pump is serviced every 400 hours. [1] Elephants drink coffee in Vienna.', [1, 1 / 2, 1]],
    [
      'The pump is serviced every 400 hours [1] and journeys are approved by the head of the department [2].',
      [1, 1, 0.5],
    ],
    ['The pump is serviced every 400 hours.', [null, 0, null]],
    ['Yes.', [null, null, null]],
  ])('are measured: %s', (answer, expected) => {
    expect(measure(answer)).toEqual(expected);
  });

  it('support a statement together that none supports alone', () => {
    const answer = 'Brass valves, serviced pumps, approved journeys.';
    const range = { answerStart: 0, answerEnd: answer.length, isExact: true };
    const citations = [
      { ...range, citedText: 'The valves are made of brass.', supportScore: 0.4 },
      { ...range, citedText: 'Journeys are approved, pumps serviced.', supportScore: 0.5 },
    ];
    expect([citationPrecision(citations), citationRecall(answer, citations)]).toEqual([0, 1]);
  });
});

describe('an answer beside the expected one', () => {
  it.each([
    ['It is due **every 400 hours**. [1]', 'Every 400 Hours', 1],
    ['It is due every 40 hours. [1]', 'every 400 hours', 0],
    ['答案是二零一九年。', '二零一九 年', 1],
    ['Anything', '!?', 0],
  ])('contains it or not: %s', (answer, expected, value) => {
    expect(answerContainment(answer, expected)).toBe(value);
  });

  it.each([
    ['The 400 hours [1]', '400 hours', 1],
    ['every 400 hours', '400 days', 2 / 5],
    ['the the the', 'pump', 0],
    ['pump pump', 'pump', 2 / 3],
    ['北京大学', '北京', 2 / 3],
    ['', '', 1],
  ])('shares words with it: %s', (answer, expected, value) => {
    expect(tokenF1(answer, expected)).toBeCloseTo(value, 12);
  });
});
