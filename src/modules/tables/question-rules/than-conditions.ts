import type { Clue } from './clue.js';
import { nearestColumn, wordsOf, type LinkedQuestion } from './linked-question.js';
import type { ValueLink } from './link-values.js';
import { columnMeasuredBy } from './measure-words.js';
import { isNumeric, isTemporal, type QuestionColumn } from './question-table.js';

const UP = /^(?:more|higher|larger|bigger|greater|longer|taller|heavier|faster|older|better|wider|deeper|further)$/;
const DOWN = /^(?:less|fewer|lower|smaller|shorter|lighter|slower|younger|cheaper|worse)$/;
const FARTHEST = 8;

/** `more votes than Ada`, `larger than Brook`: a demand by the value of another row; undefined when the words are none. */
export function thanClue(question: LinkedQuestion, link: ValueLink, anchor: Clue): Clue | undefined {
  const { tokens, table } = question;
  const than = [link.from - 1, link.from - 2].find((at) => tokens[at]?.text === 'than');
  if (
    than === undefined ||
    /\bhow (?:many|much) (?:more|less|fewer|higher|lower|larger|longer)/.test(wordsOf(question, 0, than))
  )
    return undefined;
  for (let at = than - 1; at >= Math.max(0, than - FARTHEST); at -= 1) {
    const { text } = tokens[at]!;
    if (!UP.test(text) && !DOWN.test(text)) continue;
    const numbers = table.columns.filter((column) => isNumeric(column) && !isTemporal(column));
    const behind = question.columns.find(({ from, column }) => from > at && from < than && numbers.includes(column));
    const near = { from: at, to: than };
    const mention = behind ?? nearestColumn(question, near, 4, ({ column }) => numbers.includes(column));
    const column: QuestionColumn | undefined = mention?.column ?? columnMeasuredBy(text, numbers);
    if (column === undefined) return undefined;
    const op = UP.test(text) ? '>' : '<';
    const quality = anchor.quality * (mention === undefined ? 0.92 : 0.65 + 0.35 * mention.score);
    const condition = { kind: 'than' as const, column, op, table, anchor: anchor.condition } as const;
    const further = [{ from: at, to: at + 1 }];
    return { from: than, to: link.to, condition, quality, assumption: anchor.assumption, mention, further };
  }
  return undefined;
}
