import { termsOf, type Term } from './overlap.js';
import { withPlainDates } from './stated-dates.js';
import { withOnePermission } from './stated-polarity.js';
import { withPlainNumbers } from './stated-quantities.js';

/**
 * A statement's terms, as they are compared with those of a source: each number and date in one way of writing,
 * and one word for what is allowed and what is forbidden.
 */
export function statementTerms(text: string): Term[] {
  return termsOf(withPlainNumbers(withPlainDates(withOnePermission(text))));
}
