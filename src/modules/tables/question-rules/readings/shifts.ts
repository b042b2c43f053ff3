import { cluesOf } from '../conditions.js';
import { demandsOf } from '../demands.js';
import { draftOf, tokensIn, type Draft } from '../draft.js';
import type { LinkedQuestion } from '../linked-question.js';
import { subjectOf } from '../asked-column.js';
import type { Clue } from '../clue.js';

const ASKS = /^(?:is|are|was|were|does|do|did|has|have|had|what|which|when|hat|ist|arbeitet)$/;
/** What is asked of a person on a day has one answer, the cell: how sure that the words are of this person. */
const NAMED = 0.95;

/** `Is Ilse working on Friday?`, `Which shift has Tom on 9 July?`: the cell of the day, whatever it says. */
export function readShift(question: LinkedQuestion): Draft | undefined {
  const { roster, tokens, values, table } = question;
  const day = roster?.chosen;
  if (day === undefined || !ASKS.test(tokens[0]?.text ?? '')) return undefined;
  const states = values.filter(({ options }) => options.every(({ column }) => column.name === day.column.name));
  const clues = cluesOf(question, { taken: tokensIn(day, ...states), asked: day.column });
  const subject = subjectOf(table);
  const isOfOne = clues.some(
    (clue) => clue.condition.kind === 'in' && !clue.condition.not && clue.condition.column.name === subject?.name,
  );
  if (!isOfOne) return undefined;
  const query = {
    kind: 'rows' as const,
    table,
    where: demandsOf(clues),
    columns: [day.column],
    distinct: false,
    order: undefined,
    limit: undefined,
  };
  return draftOf(query, 0.94, [{ ...day, quality: 1, assumption: undefined }, ...clues.map(asName)], {
    used: [...tokensIn(...states)],
  });
}

/** A first name that is in one cell alone names its row as well as the whole name does. */
function asName(clue: Clue): Clue {
  const { condition } = clue;
  const isOne = condition.kind === 'in' && condition.values.length === 1;
  return isOne ? { ...clue, quality: Math.max(clue.quality, NAMED) } : clue;
}
