import { expect, it } from 'vitest';
import { spansOf } from './timeline-spans.js';

const entry = (event: string, seconds: number, stage: string | null = null) => ({
  event,
  stage,
  timestamp: new Date(1000 * seconds).toISOString(),
});
const shown = (entries: readonly ReturnType<typeof entry>[]) =>
  spansOf(entries).map(({ stage, from, to }) => [stage, from / 1000, to / 1000]);

const FIRST = [
  entry('created', 10),
  entry('stage_started', 12, 'parsing'),
  entry('stage_completed', 15, 'parsing'),
  entry('stage_started', 15, 'chunking'),
  entry('stage_completed', 16, 'chunking'),
  entry('completed', 16),
];

it('shows waiting and each stage that has ended', () => {
  expect(shown(FIRST)).toEqual([
    ['waiting', 10, 12],
    ['parsing', 12, 15],
    ['chunking', 15, 16],
  ]);
  expect(shown(FIRST.slice(0, 2))).toEqual([['waiting', 10, 12]]);
  expect(shown([])).toEqual([]);
});

it.each(['queued', 'retried', 'reingest_requested', 'released'])(
  'shows the run alone that began as it was %s',
  (event) => {
    const second = [
      entry(event, 2000),
      entry('stage_started', 2001, 'parsing'),
      entry('stage_completed', 2003, 'parsing'),
    ];
    expect(shown([...FIRST, entry('quarantined', 1900), ...second])).toEqual([
      ['waiting', 2000, 2001],
      ['parsing', 2001, 2003],
    ]);
  },
);
