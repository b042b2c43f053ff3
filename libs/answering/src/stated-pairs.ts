import { isMonth } from './stated-dates.js';
import { TermBag, type Term } from './overlap.js';
import { splitClauses } from './stated-polarity.js';
import { readQuantities } from './stated-quantities.js';
import { isUnit, readAmounts } from './stated-units.js';
import { statementTerms } from './statement-terms.js';

/** A clause with its numbers and what they are numbers of. */
interface Numbered {
  readonly numbers: ReadonlySet<string>;
  readonly words: readonly Term[];
  /** Units by number. */
  readonly units: ReadonlyMap<string, string>;
}

/**
 * Whether a statement gives one thing the number of another: of “Staff have 28 days, apprentices 30”, “Apprentices have 28 days”.
 * Only where the passage holds all of its words, and says the number in clauses about something that the statement does not name, or
 * in the same unit.
 */
export function mixesNumbers(statement: string, passage: string): boolean {
  const clauses = splitClauses(passage)
    .map(toNumbered)
    .filter(({ numbers }) => numbers.size > 0);
  if (clauses.length < 2) return false;
  const stated = toNumbered(statement);
  const held = new TermBag(statementTerms(passage));
  if (stated.words.some((term) => held.match(term) === 0)) return false;
  return [...stated.numbers].some((number) => {
    const holding = clauses.filter(({ numbers }) => numbers.has(number));
    return holding.length > 0 && clauses.some((other) => isOf(other, { number, holding, stated }));
  });
}

interface Given {
  readonly number: string;
  readonly holding: readonly Numbered[];
  readonly stated: Numbered;
}

/** Whether a statement is about what a clause gives another number than that which it states. */
function isOf({ numbers, words, units }: Numbered, { number, holding, stated }: Given): boolean {
  if (words.length === 0 || [...numbers].some((one) => stated.numbers.has(one))) return false;
  const said = new TermBag(stated.words);
  if (words.some((term) => said.match(term) === 0)) return false;
  const own = new Set(units.values());
  return holding.every((clause) => {
    const bag = new TermBag(clause.words);
    const unit = clause.units.get(number);
    const isAlike = unit !== undefined && own.size === 1 && own.has(unit);
    return words.every((term) => bag.match(term) === 0)
      ? isAlike || clause.words.some((term) => said.match(term) === 0)
      : words.some((term) => bag.match(term) === 0) && clause.words.some((term) => said.match(term) === 0);
  });
}

function toNumbered(clause: string): Numbered {
  const telling = readQuantities(clause).filter(({ isTelling }) => isTelling);
  return {
    units: new Map(readAmounts(clause).map(({ value, unit }) => [value, unit] as const)),
    numbers: new Set(telling.map(({ forms }) => forms[0]!)),
    words: statementTerms(clause).filter(
      ({ form, sort, isContent }) =>
        isContent && sort !== 'number' && !/^m\d{1,2}$/.test(form) && !isMonth(form) && !isUnit(form),
    ),
  };
}
