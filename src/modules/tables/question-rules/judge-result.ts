import type { CellValue } from '#libs/tabular';
import { tokensOf } from './words.js';
import type { Reading } from './read-question.js';

const NOTHING_OF_WORDS = 0.6;
const SEVERAL_OF_ONE = 0.8;
/** This many rows are no answer to a question that asks for no list. */
const MANY_ROWS = 20;
const TOO_MANY = 0.6;
const LISTED =
  /^(?:list|show|name|give|sort|order)\b|\b(?:all|every|each|list)\b|^(?:which|what) (?:are|were)\b|^(?:which|what) (?!(?:is|was|has|does)\b)(?:\w+ (?!(?:is|was|has|does)\b))?\w*[^s\W]s\b/;

/** How sure a reading is once its rows are known: nothing found for several words, or several where one was asked for, tell against it. */
export function judgeResult(
  question: string,
  reading: Pick<Reading, 'confidence' | 'kind' | 'wordConditions'>,
  rows: readonly (readonly CellValue[])[],
): number {
  const isNothing =
    reading.kind !== 'exists' &&
    rows.every((row) => row.every((cell) => cell === null || String(cell) === '0' || cell === 'no'));
  const isUnfound =
    (isNothing && reading.wordConditions > 1) ||
    (rows.length === 0 && (reading.wordConditions > 0 || reading.kind === 'neighbour'));
  const factor = isUnfound ? NOTHING_OF_WORDS : numberOfRows(question, reading, rows.length);
  return Math.round(reading.confidence * factor * 100) / 100;
}

function numberOfRows(question: string, { kind }: Pick<Reading, 'kind'>, count: number): number {
  if (kind === 'rows' && count > MANY_ROWS && !LISTED.test(question.trim().toLowerCase())) return TOO_MANY;
  return isOneAsked(question) && count > 1 ? SEVERAL_OF_ONE : 1;
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
