import type { TermBag } from './overlap.js';
import { boundsOtherwise, boundsTheSame } from './stated-bounds.js';
import { isOnAnotherDay, namesAnother } from './stated-names.js';
import { statedOrdinals } from './stated-numbers.js';
import { ordersOtherwise } from './stated-order.js';
import { mixesNumbers } from './stated-pairs.js';
import { deniesTheSame } from './stated-polarity.js';
import { readQuantities } from './stated-quantities.js';
import { convertedValues, countsOtherwise } from './stated-units.js';

/** Where the passage is that a statement is compared with. */
export interface PassagePlace {
  /** Title and heading: numbers in them hold for the passage. */
  readonly above: string;
  /** Words of its document, as far as it was read, and of the title. */
  readonly context: TermBag;
  /** The question that is answered; empty where it is not known. */
  readonly question: string;
}

/**
 * Whether a statement says something else than a passage that shares its words: a number, a unit, a month or a day that is not there, one
 * of several that is another, the number of something else, a name that is not there, another bound or order, or the contrary. What it does not repeat of the passage is no difference.
 */
export function saysOtherwise(statement: string, passage: string, place: PassagePlace): boolean {
  return (
    lacksQuantity(statement, `${place.above}\n${passage}`) ||
    countsOtherwise(statement, passage) ||
    isAnotherOfSeveral(statement, `${place.above}\n${passage}`) ||
    isOnAnotherDay(statement, passage) ||
    namesAnother(statement, { passage, ...place }) ||
    boundsOtherwise(statement, passage) ||
    ordersOtherwise(statement, passage) ||
    mixesNumbers(statement, passage) ||
    (deniesTheSame(statement, passage) && !boundsTheSame(statement, passage))
  );
}

/** Whether a text states a number, a time or a month that a passage does not, in whichever way of writing. */
export function lacksQuantity(statement: string, passage: string): boolean {
  const stated = readQuantities(statement).filter(({ isTelling }) => isTelling);
  if (stated.length === 0) return false;
  const held = new Set(readQuantities(passage).flatMap(({ forms }) => forms));
  const missing = stated.filter(({ forms }) => !forms.some((form) => held.has(form)));
  if (missing.length === 0) return false;
  const converted = convertedValues(statement, passage);
  return missing.some(({ forms }) => !forms.some((form) => converted.has(form)));
}

function isAnotherOfSeveral(statement: string, passage: string): boolean {
  const stated = statedOrdinals(statement.replace(/^\s*\p{L}+,/u, ''));
  if (stated.length === 0) return false;
  const others = statedOrdinals(passage);
  const numbers = new Set(readQuantities(passage).flatMap(({ forms }) => forms));
  return others.length > 0 && stated.some((one) => !others.includes(one) && !numbers.has(one));
}
