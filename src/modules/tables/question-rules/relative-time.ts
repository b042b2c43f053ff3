import type { Token } from './words.js';

/** Words of a question that mean a time by the day on which it is asked: `last year`, `this month`, `the past 30 days`. */
export interface RelativeTime {
  readonly from: number;
  readonly to: number;
}

const LEAD = /^(?:last|this|next|past|previous|current|coming|recent)$/;
const UNIT = /^(?:year|quarter|month|week|weekend|day|season|decade|century|semester|fortnight|morning|night)s?$/;
const COUNT = /^(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|few|couple)$/;
const BEFORE_SPAN = /^(?:in|of|over|during|within|for|since|from|by|until)$/;
const ALONE = /^(?:today|yesterday|tomorrow|tonight|recently|lately|nowadays|ytd)$/;

/**
 * All of them. With `the` before it, `the last year` is the last one of the table where that has years; where it has days, or where a
 * preposition is before it, the calendar is meant.
 */
export function relativeTimes(tokens: readonly Token[], hasYears: boolean): RelativeTime[] {
  const found: RelativeTime[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    if (ALONE.test(tokens[at]!.text)) found.push({ from: at, to: at + 1 });
    if (!LEAD.test(tokens[at]!.text)) continue;
    const unit = COUNT.test(tokens[at + 1]?.text ?? '') ? at + 2 : at + 1;
    if (!UNIT.test(tokens[unit]?.text ?? '') || isOfTheTable(tokens, at, hasYears)) continue;
    found.push({ from: at, to: unit + 1 });
  }
  return found;
}

function isOfTheTable(tokens: readonly Token[], at: number, hasYears: boolean): boolean {
  if (tokens[at - 1]?.text !== 'the' || /^(?:past|current|coming)$/.test(tokens[at]!.text)) return false;
  return hasYears || !BEFORE_SPAN.test(tokens[at - 2]?.text ?? '');
}
