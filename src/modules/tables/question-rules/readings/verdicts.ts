import { cluesOf } from '../conditions.js';
import { demandsOf } from '../demands.js';
import { draftOf, tokensIn, type Draft } from '../draft.js';
import { nearestColumn, wordsOf, type LinkedQuestion } from '../linked-question.js';
import { isNumeric, isTemporal } from '../question-table.js';

const OPENERS = /^(?:is|are|was|were|do|does|did|has|have|had|can|could|will)$/;
const EITHER =
  /^(?:above|over|higher|more|greater|larger|longer) or (?:below|under|lower|less|fewer|smaller|shorter)|(?:below|under|lower|less|fewer|smaller|shorter) or (?:above|over|higher|more|greater|larger|longer)/;

/** `is … above or below 10?` */
export function readVerdict(question: LinkedQuestion): Draft | undefined {
  const { tokens, table } = question;
  const at = tokens.findIndex((_, index) => EITHER.test(wordsOf(question, index, index + 3)));
  if (at < 0) return undefined;
  const number = question.numbers.find(({ at: place }) => place > at);
  if (number === undefined) return undefined;
  const mention = nearestColumn(question, number, 12, ({ column }) => isNumeric(column) && !isTemporal(column));
  if (mention === undefined) return undefined;
  const words = { from: at, to: at + 3 };
  const taken = tokensIn(words, mention, number);
  const clues = cluesOf(question, { taken, asked: mention.column });
  if (clues.length === 0) return undefined;
  const [one, other] = [tokens[at]!.text, tokens[at + 2]!.text];
  const isUp = /^(?:above|over|higher|more|greater|larger|longer)$/.test(one);
  const query = {
    kind: 'verdict' as const,
    table,
    where: demandsOf(clues),
    column: mention.column,
    value: number.value,
    above: isUp ? one : other,
    below: isUp ? other : one,
  };
  const part = { from: mention.from, to: mention.to, quality: 0.65 + 0.35 * mention.score, assumption: undefined };
  const than = tokens.flatMap(({ text }, index) => (text === 'than' ? [index] : []));
  return draftOf(query, 0.93, [part, ...clues], { used: [...taken, ...than] });
}

/** `does … have at least …?` */
export function readExists(question: LinkedQuestion): Draft | undefined {
  const { tokens, table } = question;
  if (!OPENERS.test(tokens[0]?.text ?? '') || tokens.some(({ text }) => text === 'or')) return undefined;
  const clues = cluesOf(question, { taken: new Set([0]), asked: undefined });
  if (clues.length < 2) return undefined;
  return draftOf({ kind: 'exists', table, where: demandsOf(clues) }, 0.88, clues, { used: [0] });
}
