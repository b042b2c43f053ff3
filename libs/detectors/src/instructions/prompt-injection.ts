import type { Detector, Match } from '../finding.js';
import { FAKE_ROLES } from './fake-roles.js';
import { PHRASES, STANDING_PHRASES } from './phrases.js';

/** Verbs are in front of their object in most languages, and behind it in Turkish and sometimes in German and Chinese. */
const REACH = 90;
const SENTENCE_END = /[.!?。！？؟](?:\s|$)|\n\s{0,20}\n/;

const ORDERS = PHRASES.map(({ language, verbs, objects }) => ({
  rule: `leave_instructions_${language}`,
  verbs: new RegExp(verbs, 'g'),
  objects,
}));
const FORMS = [...STANDING_PHRASES, ...FAKE_ROLES];

/** Lower case unit by unit: `İ` alone would become longer, and places would no longer be those of the text. */
function lowered(text: string): string {
  const lower = text.replaceAll('İ', 'i').toLowerCase();
  return lower.length === text.length
    ? lower
    : Array.from(text, (one) => (one.toLowerCase().length === one.length ? one.toLowerCase() : one)).join('');
}

/** The object in the same sentence; behind the verb rather than in front of it. */
function objectNear(
  text: string,
  start: number,
  end: number,
  objects: RegExp,
): { start: number; end: number } | undefined {
  const behind = text.slice(end, end + REACH);
  const stop = behind.search(SENTENCE_END);
  const after = objects.exec(stop < 0 ? behind : behind.slice(0, stop));
  if (after !== null) return { start, end: end + after.index + after[0].length };
  const from = Math.max(0, start - REACH);
  const sentence = text
    .slice(from, start)
    .split(/[.!?。！？؟\n]/)
    .at(-1)!;
  const before = objects.exec(sentence);
  return before === null ? undefined : { start: start - sentence.length + before.index, end };
}

/** Most texts have nothing of a form: to ask costs less than the copy of the expression that `matchAll` makes. */
function has(text: string, form: RegExp): boolean {
  form.lastIndex = 0;
  const isThere = form.test(text);
  form.lastIndex = 0;
  return isThere;
}

function orders(text: string): Match[] {
  const matches: Match[] = [];
  for (const { rule, verbs, objects } of ORDERS) {
    if (!has(text, verbs)) continue;
    let last = -1;
    for (const { 0: verb, index } of text.matchAll(verbs)) {
      if (index < last) continue;
      const place = objectNear(text, index, index + verb.length, objects);
      if (place === undefined) continue;
      matches.push({ rule, ...place, score: 0.85 });
      last = place.end;
    }
  }
  return matches;
}

function fixedForms(text: string): Match[] {
  return FORMS.filter(({ form }) => has(text, form)).flatMap(({ rule, form, score }) =>
    Array.from(text.matchAll(form), ({ 0: value, index }) => {
      const start = value.startsWith('\n') ? index + 1 : index;
      return { rule, start, end: index + value.length, score };
    }),
  );
}

/** Text that tries to instruct a model that reads it. The place is the phrase, not what follows it. */
export const promptInjection: Detector = {
  severity: 'high',
  isNumber: false,
  find(text) {
    const lower = lowered(text).replaceAll('\u00a0', ' ');
    return [...orders(lower), ...fixedForms(lower)];
  },
};
