import type { QuestionColumn, QuestionTable } from '../question-table.js';
import { isNumeric } from '../question-table.js';
import type { ChosenColumn } from '../rosters/roster.js';
import { tokensOf, type Token } from '../words.js';

/** A time that something is had for. */
interface Duration {
  readonly unit: string;
  readonly count: number;
}

interface DurationMention extends Duration {
  readonly from: number;
  readonly to: number;
}

const UNITS: Readonly<Record<string, RegExp>> = {
  minute: /^(?:minutes?|mins?|minuten|minutos?)$/,
  hour: /^(?:hours?|hrs?|stunden?|std|heures?|horas?)$/,
  day: /^(?:days?|tage?s?|jours?|journees?|dias?)$/,
  night: /^(?:nights?|nacht|nachte|nuits?|noches?)$/,
  weekend: /^(?:weekends?|wochenenden?)$/,
  week: /^(?:weeks?|wochen?|semaines?|semanas?)$/,
  month: /^(?:months?|monate?s?|mois|mes|meses)$/,
  season: /^(?:seasons?|saison|saisons|temporadas?)$/,
  year: /^(?:years?|jahre?s?|ans|annees?|anos?)$/,
};
const WHOLE =
  /^(?:whole|full|entire|all|complete|ganz(?:e[nrs]?)?|voll(?:e[nrs]?)?|entiere?|toute?|enter[oa]|tod[oa])$/;
const HALF = /^(?:half|halb(?:e[nrs]?)?|demie?|medi[oa])$/;
const ONE = /^(?:a|an|one|the|per|each|le|la|l|un|une|una|el)$/;
const LEAD = /^(?:for|per|pour|por)$/;
const NUMBERS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
/** Words between a question's `for` and the unit. */
const MOST_BEFORE = 4;
/** One column may be called like a time by chance. */
const LEAST_DURATIONS = 2;

/** The columns of a price list that are for a time each, and the one of them that the question names; undefined where there are none. */
export function tariffOf(
  tokens: readonly Token[],
  question: string,
  table: QuestionTable,
): { readonly columns: readonly QuestionColumn[]; readonly chosen: ChosenColumn | undefined } | undefined {
  const timed = table.columns.flatMap((column) => {
    const durations = isNumeric(column) ? durationsOfHeader(column.label) : [];
    return durations.length === 0 ? [] : [{ column, durations }];
  });
  if (timed.length < LEAST_DURATIONS) return undefined;
  const columns = timed.map(({ column }) => column);
  const mentions = durationMentions(tokens);
  const [mention] = mentions;
  if (mention === undefined || mentions.length > 1) return { columns, chosen: undefined };
  const fitting = timed.filter(({ durations }) =>
    durations.some(({ unit, count }) => unit === mention.unit && count === mention.count),
  );
  const [found] = fitting;
  if (found === undefined || fitting.length > 1) return { columns, chosen: undefined };
  const { from, to } = mention;
  const text = question.slice(tokens[from]!.start, tokens[to - 1]!.end);
  return { columns, chosen: { from, to, column: found.column, assumption: assumptionOf(text, found.column) } };
}

function assumptionOf(text: string, { label }: QuestionColumn): string | undefined {
  const isSame = text.toLowerCase().replace(/^for (?:an? |the )?/, '') === label.trim().toLowerCase();
  return isSame ? undefined : `“${text}” is taken for “${label}”.`;
}

/** `Half day (4 hours)` is of both. */
function durationsOfHeader(label: string): Duration[] {
  const parts = [label.replace(/\([^)]*\)/g, ' '), ...[...label.matchAll(/\(([^)]*)\)/g)].map((match) => match[1]!)];
  return parts.flatMap((part, index) => {
    const tokens = tokensOf(part.replace('½', ' half ').replaceAll('-', ' '));
    const duration = durationAt(tokens, tokens.length - 1);
    // A header may be the unit alone; what else it says of the time is not known.
    return duration === undefined || duration.from > 0 || (index > 0 && !/\d/.test(part)) ? [] : [duration];
  });
}

function durationMentions(tokens: readonly Token[]): DurationMention[] {
  return tokens.flatMap((_, at) => {
    const found = durationAt(tokens, at);
    // The bare word (`day ticket`) says of no time how long it is.
    return found === undefined || found.from === at ? [] : [found];
  });
}

/** The duration whose unit is at a place, with the words before it. */
function durationAt(tokens: readonly Token[], at: number): DurationMention | undefined {
  const unit = Object.keys(UNITS).find((each) => UNITS[each]!.test(tokens[at]?.text ?? ''));
  if (unit === undefined) return undefined;
  let [from, count, isHalf] = [at, undefined as number | undefined, false];
  for (let place = at - 1; place >= Math.max(0, at - MOST_BEFORE); place -= 1) {
    const { text } = tokens[place]!;
    const number = /^\d{1,3}$/.test(text) ? Number(text) : NUMBERS.indexOf(text) + 1 || undefined;
    if (HALF.test(text)) isHalf = true;
    else if (number !== undefined && count === undefined) count = number;
    else if (!WHOLE.test(text) && !ONE.test(text) && !LEAD.test(text)) break;
    from = place;
    if (LEAD.test(text)) break;
  }
  // One and a half is neither.
  if (isHalf && count !== undefined && count !== 1) return undefined;
  return { unit, count: isHalf ? 0.5 : (count ?? 1), from, to: at + 1 };
}
