import type { CellValue } from '#libs/tabular';
import { tokensOf } from './words.js';
import type { Reading } from './read-question.js';

const NOTHING_OF_WORDS = 0.6;
const SEVERAL_OF_ONE = 0.8;

/** How sure a reading is once its rows are known: nothing found for several words, or several where one was asked for, tell against it. */
export function judgeResult(
  question: string,
  reading: Pick<Reading, 'confidence' | 'kind' | 'wordConditions'>,
  rows: readonly (readonly CellValue[])[],
): number {
  const isNothing =
    reading.kind !== 'exists' &&
    rows.every((row) => row.every((cell) => cell === null || String(cell) === '0' || cell === 'no'));
  const factor =
    (isNothing && reading.wordConditions > 1) || (rows.length === 0 && reading.wordConditions > 0)
      ? NOTHING_OF_WORDS
      : isOneAsked(question) && rows.length > 1
        ? SEVERAL_OF_ONE
        : 1;
  return Math.round(reading.confidence * factor * 100) / 100;
}

/** `which team was`, `who is`, `what was the name`: one is meant. */
function isOneAsked(question: string): boolean {
  const text = tokensOf(question)
    .map((token) => token.text)
    .join(' ');
  return /^(?:who|what|which) (?:is|was) the (?!.*\b(?:are|were)\b)|^(?:which|what) \w*[^s\W] (?:is|was|has|does|did)\b/.test(
    text,
  );
}
