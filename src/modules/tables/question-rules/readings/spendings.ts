import type { Clue } from '../clue.js';
import { cluesOf } from '../conditions.js';
import { demandsOf } from '../demands.js';
import { cueTokens, draftOf, type Draft } from '../draft.js';
import { wordsOf, type LinkedQuestion } from '../linked-question.js';
import { isAmount } from '../identifiers.js';
import { namesRows } from '../row-kinds.js';
import { costOf, isPaid, isPaying, spentColumn } from '../money-columns.js';

const PAY = /^(?:pay|paid|paying|spend|spent|gezahlt|bezahlt|ausgegeben|paye|payes|depense|pagado|gastado)$/;
const COST = /^(?:cost|gekostet|kostete|kosteten|coute|costado)$/;
const COSTING = /^(?:cost|costs|kostet|kosten|coute|coutent|cuesta|cuestan|price)$/;
const BILL = /^(?:charge|charged|bill|billed|invoice|invoiced|verrechnet|facture|facturado|cobrado)$/;
/** What was paid is in a table; what is to be paid is in a price list. */
const PAST = /^(?:did|have|has|had|was|were)$/;
const PASSIVE = /^(?:was|were|been)$/;
const PAID = /^(?:paid|spent|gezahlt|bezahlt|ausgegeben)$/;
const WE = /^(?:we|i|nous|nosotros)$/;
const TOTALS = /^(?:total|sum|combined|altogether|overall|together)$/;

/** `How much did we pay Moser?`, `How much did the pump cost in total?`: what was paid, over the rows that name it. */
export function readSpent(question: LinkedQuestion): Draft | undefined {
  const { tokens, table } = question;
  const cue = tokens.findIndex((_, at) => /^(?:how much|what did)$/.test(wordsOf(question, at, at + 2)));
  const verb = tokens.findIndex(({ text }, at) => at > cue && (PAY.test(text) || COST.test(text) || BILL.test(text)));
  const column = spentColumn(table);
  if (cue < 0 || verb < 0 || column === undefined) return undefined;
  // `What did Ruiz charge for the pump?`: with `what`, only a cost is asked for.
  if (tokens[cue]!.text === 'what' && !COST.test(tokens[verb]!.text)) return undefined;
  if (!tokens.slice(cue + 1, verb + 1).some(({ text }) => PAST.test(text))) return undefined;
  const taken = new Set([cue, cue + 1, verb]);
  const clues = cluesOf(question, { taken, asked: column });
  const named = clues.filter((clue) => isNamed(question, clue));
  if (named.length === 0 || named.some((clue) => !isRole(question, clue, verb))) return undefined;
  const query = {
    kind: 'measure' as const,
    table,
    where: demandsOf(clues),
    measure: { function: 'sum' as const, column },
  };
  const span = { from: cue, to: cue + 2, quality: 1, assumption: `“${column.label}” is added up.` };
  return draftOf(query, 0.93, [span, ...clues], { used: [verb, ...cueTokens(question, TOTALS)] });
}

/** `How much does the maintenance of all pumps cost in total?` where a header is `Maintenance cost`: the sum of what it says. */
export function readCosts(question: LinkedQuestion): Draft | undefined {
  const { tokens, table } = question;
  const cue = tokens.findIndex((_, at) => wordsOf(question, at, at + 2) === 'how much');
  const verb = tokens.findIndex(({ text }, at) => at > cue && COSTING.test(text));
  const totals = cueTokens(question, TOTALS);
  if (cue < 0 || verb < 0 || totals.length === 0 || tokens.some(({ text }) => PAST.test(text))) return undefined;
  const named = table.columns.flatMap((column) => {
    const of = isAmount(column, table) ? costOf(column) : [];
    const places = of.map((stem) => tokens.findIndex((token) => token.stem === stem));
    return of.length > 0 && places.every((place) => place > cue) ? [{ column, places }] : [];
  });
  const [only, ...others] = named;
  if (only === undefined || others.length > 0) return undefined;
  const taken = new Set([cue, cue + 1, verb, ...only.places]);
  const clues = cluesOf(question, { taken, asked: only.column });
  const measure = { function: 'sum' as const, column: only.column };
  const query = { kind: 'measure' as const, table, where: demandsOf(clues), measure };
  // `of all pumps` says that no row is left out.
  const all = tokens.flatMap(({ stem }, at) =>
    /^(?:all|every)$/.test(tokens[at - 1]?.text ?? '') && namesRows(stem, table) ? [at] : [],
  );
  return draftOf(query, 0.93, clues, { used: [...taken, ...totals, ...all] });
}

/** A cell of one column alone that is what the question names: a part of a name, or one in two columns, may be another. */
function isNamed({ values }: LinkedQuestion, { from, condition }: Clue): boolean {
  const link = values.find((value) => value.from === from);
  if (link === undefined || condition.kind !== 'in' || condition.not) return false;
  return link.options.length === 1 && link.options[0]!.whole.length > 0 && !link.isSimilar;
}

/** Whether the named one can be paid, or pay, as the verb says it. */
function isRole({ tokens }: LinkedQuestion, { from, condition }: Clue, at: number): boolean {
  if (condition.kind !== 'in') return false;
  const verb = tokens[at]!.text;
  const isPassive = PAID.test(verb) && tokens.some(({ text }) => PASSIVE.test(text));
  const isOurs = tokens.slice(0, at).some(({ text }) => WE.test(text));
  const isSubject = from < at && !isOurs && !isPassive;
  if (PAY.test(verb)) return isSubject ? isPaying(condition.column) : !isPaying(condition.column);
  if (BILL.test(verb)) return isSubject ? !isPaying(condition.column) : !isPaid(condition.column);
  return true;
}
