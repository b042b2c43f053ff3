import { holdsAnswer, type AnswerKind } from './answer-hints.js';
import { foldText } from './overlap.js';
import type { QuestionProfile } from './question-profile.js';
import type { ReadSource } from './source-reader.js';
import { statedOrdinals } from './stated-numbers.js';

/** What a near miss costs in the logistic sum; figures in docs/adr/0142. */
const PENALTIES = { names: 2, ordinals: 4, person: 4, kind: 2 } as const;
/** Who does something without being named. */
const ROLE =
  /(?<!\p{L})(?:managers?|directors?|officers?|captain|mate|master|purser|steward|chair(?:man|woman|person)?|board|committee|council|team|staff|crew|department|office|desk|company|firm|agency|authority|ministry|police|government|administrator|supervisor|superior|head|chief|doctor|nurse|teacher|tenant|landlord|owner|employer|employees?|president|king|queen|emperor|pope|parliament|scientists?|engineers?|authors?|people|members?|everyone|everybody|anyone|nobody|all|leitung|leiter(?:in)?|vorstand|amt|abteilung|stelle|firma|betrieb|mitarbeiter|vorgesetzte[rn]?|direction|directeur|directrice|service|équipe|bureau|responsable|dirección|director[ae]?|jefe|jefa|equipo|oficina|encargad[oa])(?!\p{L})/iu;

/**
 * How much speaks for a passage about something alike rather than about what is asked, in logits: what the question names (a thing, a
 * place, the second of several) and the sentence with what stands around it and above it lacks; and a question word that nothing there
 * answers. A missing common word is no such sign.
 */
export function nearMissOf({ terms, kind, ordinals }: QuestionProfile, source: ReadSource, at: number): number {
  const around = source.sentences.slice(Math.max(0, at - 1), at + 2);
  const above = source.sentences.slice(0, at).findLast((one) => one.kind === 'heading');
  const places = [...around, ...(above === undefined ? [] : [above]), ...source.sentences.slice(0, 1)];
  const held = terms.map((_, term) => Math.max(source.title[term]!, ...places.map(({ matches }) => matches[term]!), 0));
  let [named, lacking] = [0, 0];
  for (const [index, { isProper, importance }] of terms.entries()) {
    if (!isProper) continue;
    named += importance;
    lacking += importance * (1 - held[index]!);
  }
  const text = around.flatMap(({ start, end, header }) => [source.text.slice(start, end), header ?? '']).join(' ');
  const stated = statedOrdinals(`${text} ${above === undefined ? '' : source.text.slice(above.start, above.end)}`);
  const isAnother = stated.length > 0 && ordinals.some((ordinal) => !stated.includes(ordinal));
  const byNames = named === 0 ? 0 : (PENALTIES.names * lacking) / named;
  const byOrdinals = isAnother ? PENALTIES.ordinals : 0;
  return (
    byNames + byOrdinals + (canAnswer(kind, text, terms) ? 0 : kind === 'person' ? PENALTIES.person : PENALTIES.kind)
  );
}

/** Whether a text holds something of the sort that is asked for, beside what the question itself names. */
function canAnswer(kind: AnswerKind, text: string, terms: QuestionProfile['terms']): boolean {
  if (kind === 'any') return true;
  const known = new Set(terms.filter(({ isName }) => isName).map(({ form }) => form));
  const rest = text.replace(/[\p{L}\p{M}\p{N}]+/gu, (word) => (known.has(foldText(word)) ? '' : word));
  return holdsAnswer(kind, rest) || (kind === 'person' && ROLE.test(rest));
}
