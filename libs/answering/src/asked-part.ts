import { splitSentences } from '#libs/text';
import { termsOf } from './overlap.js';

/** A word of a question with what it names. */
interface NamedTerm {
  readonly form: string;
  readonly isName: boolean;
  readonly isProper: boolean;
}

const ENDS_ASKING = /[?？؟]["'”’»)\]]*$/u;
/** Before what is asked in the same sentence: “we come at midnight – where can we park?” */
const DASH =
  /^.{8,}?\s[-–—]{1,2}\s(?=(?:(?:and|und|et|y)\s)?(?:who|what|which|when|where|how|why|is|are|do|does|can|could|may|must|should|will|wer|was|welche\p{L}?|wann|wo|wohin|wie|warum|kann|können|darf|dürfen|muss|müssen|ist|sind|gibt|qui|que|quel\p{L}*|quand|où|comment|combien|pourquoi|peut|puis|est-ce|qu[ée]|cu[áa]l|cu[áa]ndo|d[óo]nde|c[óo]mo|cu[áa]nt[oa]s?|puedo|hay)(?!\p{L}))/iu;
const NUMBER = /\p{N}/u;
const TIME =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday)$/;

/**
 * What a message asks: its questions, without the sentences that ask nothing (“My daughter is seven. What does she pay?”). The whole message where each
 * sentence asks or none does. Pure.
 */
export function askedPartOf(message: string): string {
  const sentences = splitSentences(message).map(({ start, end }) => message.slice(start, end));
  const asking = sentences.filter((sentence) => ENDS_ASKING.test(sentence));
  return asking.length === 0 ? message : asking.map((sentence) => sentence.replace(DASH, '')).join(' ');
}

/** Forms of the words that stand in the context of what a message asks, and not in what it asks. Pure. */
export function contextForms(message: string): ReadonlySet<string> {
  const part = askedPartOf(message);
  if (part === message) return new Set();
  const asked = new Set(termsOf(part).map(({ form }) => form));
  return new Set(termsOf(message).flatMap(({ form }) => (asked.has(form) ? [] : [form])));
}

/**
 * Words of the context name nothing that an answer has to hold, but for names in words: numbers and dates tell of who asks, a place or a
 * thing of what is asked. Pure.
 */
export function weighContext<T extends NamedTerm>(terms: readonly T[], context: ReadonlySet<string>): readonly T[] {
  return terms.map((term) => {
    if (!context.has(term.form)) return term;
    const isNamed = term.isProper && !NUMBER.test(term.form) && !TIME.test(term.form);
    return { ...term, isName: isNamed, isProper: isNamed };
  });
}
