import { denials, isDenied, type Clue, type ClueRules } from './clue.js';
import { isAmount } from './identifiers.js';
import type { ColumnLink } from './link-columns.js';
import { nearestColumn, type LinkedQuestion } from './linked-question.js';
import { isBound, quantitiesOf } from './quantities.js';
import type { QuestionColumn } from './question-table.js';
import type { Comparison } from './table-query.js';
import { isFiller } from './words.js';

const BELOW = /^(?:below|under|beneath)$/;
const ABOVE = /^(?:above|over|beyond|exceeds?|exceeded|exceeding)$/;
const LESS = /^(?:less|lower|fewer|smaller)$/;
const MORE = /^(?:more|higher|greater|larger|bigger)$/;
/** Verbs that say how it came to be below or above: it is so now. */
const BECAME =
  /^(?:fallen|dropped|gone|sunk|slipped|risen|climbed|running|run|gefallen|gesunken|gerutscht|gestiegen|tombe|tombes|tombees|caido|caidos|caida|caidas)$/;
const NOW = /^(?:have|has|are|is|havent|hasnt|arent|isnt|not|sind|ist)$/;
/** Words that a bound is of: `minimum quantity` where the header is `Minimum`. */
const OF_BOUND = /^(?:quantity|level|stock|amount|number|menge|bestand|niveau|nivel|stand)$/;
const DENIED = { '<': '>=', '>': '<=' } as const satisfies Partial<Record<Comparison, Comparison>>;
/** Small words between the comparison and the header. */
const MOST_SMALL = 2;

/** `below their minimum`, `whose cost exceeds the budget`: what a row has in one column against what it has in another. */
export function columnConditions(question: LinkedQuestion, { asked }: ClueRules): Clue[] {
  const { tokens, table } = question;
  return tokens.flatMap(({ text }, at): Clue[] => {
    const isPair = tokens[at + 1]?.text === 'than';
    const op = BELOW.test(text) || (isPair && LESS.test(text)) ? '<' : isAbove(text, isPair) ? '>' : undefined;
    const begin = at + (isPair ? 2 : 1);
    const other = op === undefined ? undefined : columnBehind(question, begin);
    if (op === undefined || other === undefined) return [];
    const named = nearestColumn(
      question,
      { from: at, to: other.to },
      4,
      ({ column, to }) => to <= at && isAmount(column, table) && column.name !== other.column.name,
    );
    const column = named?.column ?? comparedWith(question, other.column, asked);
    if (column === undefined) return [];
    const isNot = isDenied(question, at);
    const assumption = named === undefined ? `“${column.label}” is compared with “${other.column.label}”.` : undefined;
    return [
      {
        from: at,
        to: other.to,
        condition: { kind: 'columns', column, op: isNot ? DENIED[op] : op, other: other.column },
        quality: (named === undefined ? 0.92 : 1) * (0.65 + 0.35 * other.score),
        assumption,
        mention: named,
        further: [denials(question, at, isNot), ...becameAt(question, at, other.to)].filter(
          (span) => span !== undefined,
        ),
      },
    ];
  });
}

/** `have fallen below`; German has the verb behind the bound. */
function becameAt({ tokens }: LinkedQuestion, at: number, end: number): { from: number; to: number }[] {
  const isBefore = BECAME.test(tokens[at - 1]?.text ?? '') && NOW.test(tokens[at - 2]?.text ?? '');
  const isBehind = end === tokens.length - 1 && BECAME.test(tokens[end]!.text) && NOW.test(tokens[at - 1]?.text ?? '');
  return [...(isBefore ? [{ from: at - 1, to: at }] : []), ...(isBehind ? [{ from: end, to: end + 1 }] : [])];
}

function isAbove(text: string, isPair: boolean): boolean {
  return ABOVE.test(text) || (isPair && MORE.test(text));
}

/** The column that is named there; not where it is that of another row (`the price of …`). */
function columnBehind({ tokens, columns, table }: LinkedQuestion, begin: number): ColumnLink | undefined {
  for (let at = begin; at <= begin + MOST_SMALL; at += 1) {
    const link = columns
      .filter(({ from, column }) => from === at && isAmount(column, table))
      .toSorted((a, b) => b.score - a.score)[0];
    if (link !== undefined) {
      const to = isBound(link.column) && OF_BOUND.test(tokens[link.to]?.text ?? '') ? link.to + 1 : link.to;
      return tokens[to]?.text === 'of' ? undefined : { ...link, to };
    }
    if (!isFiller(tokens[at]?.text ?? '')) return undefined;
  }
  return undefined;
}

/** What is compared where the question does not name it: how many there are with a bound of that, else the only other amount in the same unit. */
function comparedWith(
  { table }: LinkedQuestion,
  other: QuestionColumn,
  asked: QuestionColumn | undefined,
): QuestionColumn | undefined {
  const isOther = (column: QuestionColumn): boolean => column.name !== other.name && column.unit === other.unit;
  const quantities = isBound(other) ? quantitiesOf(table).filter(isOther) : [];
  if (quantities.length > 0) return quantities.length === 1 ? quantities[0] : undefined;
  if (other.unit === null) return undefined;
  const amounts = table.columns.filter((column) => isOther(column) && isAmount(column, table));
  const free = amounts.filter(({ name }) => name !== asked?.name);
  return free.length === 1 ? free[0] : undefined;
}
