import type { Steps } from '#libs/common';
import { noteOfPart } from './answerer-notes.js';
import { asksForList } from './answer-hints.js';
import { answerExtractivelySteps, type ExtractiveSource } from './extractive.js';
import { contentTermsOf } from './question-profile.js';

/** One of the questions that a message asks. */
export interface QuestionPart {
  /** Understandable without the others. */
  readonly question: string;
  /** As the message writes it. */
  readonly asked: string;
  /** What may answer it; none where nothing was found. */
  readonly sources: readonly ExtractiveSource[];
}

const MOST_PARTS = 3;
/** A message that is longer is a text with a question in it, and is looked at as one. */
const MOST_CHARS = 1_000;
/** By language: its *and*, and the words that begin a question. *Was* asks in German alone. */
const JOINED_BY: Readonly<Record<string, readonly [and: string, prepositions: string, words: string]>> = {
  en: ['and(?: also)?', 'to|by|from|for|in|at|until|since', 'who|whom|whose|what|which|when|where|how|why'],
  de: [
    'und(?: auch)?',
    'von|bei|mit|für|bis|ab|seit',
    String.raw`wer|wen|wem|was|welche\p{L}?|wann|wo|wohin|wie|warum|wieso`,
  ],
  fr: ['et(?: aussi)?', `à|de|jusqu['’]à`, String.raw`qui|que|quoi|quel\p{L}*|quand|où|comment|combien|pourquoi`],
  es: [
    '[ye](?: también)?',
    'a|de|con|desde|hasta',
    'qui[ée]n|qu[ée]|cu[áa]l|cu[áa]ndo|d[óo]nde|c[óo]mo|cu[áa]nt[oa]s?',
  ],
};
/** An *and* before a question word of its language, which may follow a preposition. */
const JOINT = new RegExp(
  Object.values(JOINED_BY)
    .map(
      ([and, before, words]) =>
        String.raw`(?<=\S),?\s{1,3}${and}\s{1,3}(?=(?:(?:${before})\s{1,3})?(?:${words})(?!\p{L}))`,
    )
    .join('|'),
  'giu',
);
const WORDS = Object.values(JOINED_BY)
  .map(([, , words]) => words)
  .join('|');
const ENDS_ASKING = new RegExp(String.raw`(?<!\p{L})(?:${WORDS})\W{0,8}$`, 'iu');
/** A question word at the beginning or within (not those that join clauses as often), or a verb at the beginning that makes a question. */
const ASKS = new RegExp(
  String.raw`^\W{0,8}(?:${WORDS})(?!\p{L})|(?<!\p{L})(?:what|where|how|why|wo|wie|warum|welche\p{L}?|quel\p{L}*|comment|combien|pourquoi|cu[áa]l|d[óo]nde|c[óo]mo|cu[áa]nt[oa]s?)(?!\p{L})|^\W{0,8}(?:since|until|by|from|to|at|in|for|seit|bis|ab|von|mit|à|de|desde|hasta) (?:${WORDS})(?!\p{L})|^\W{0,8}(?:is|are|was|were|do|does|did|can|could|may|must|should|will|would|have|has|ist|sind|war|kann|können|darf|dürfen|muss|müssen|soll|gibt|hat|haben|est-ce|peut-on|puis-je|faut-il|y a-t-il|hay|puedo|puede|se puede|está|están|tengo)(?!\p{L})|[?？؟]`,
  'iu',
);
/** Where a question ends: not within quotation marks, an address or a name; behind it a sentence begins. */
const ENDS =
  /(?<=[?？؟])(?:\s{1,20}(?=[¿\p{Lu}\p{Lo}\p{N}]|(?:and|und|et|y)?\s?(?:who|what|which|when|where|how|why|is|are|do|does|can|wer|was|wann|wo|wie|warum|kann|ist|qui|que|quel|quand|où|comment|combien)(?!\p{L}))|(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]))/iu;
/** Between two quotations. */
const BEHIND_MARKER = /(?<=\[\d+\]) /u;
const QUOTED = /[“”„«»"]/u;
/** Asks for nothing but to be heard. */
const COURTESY =
  /^\W{0,8}(?:\p{L}{2,10}\W{1,3}){0,3}(?:can|could|would|may|kannst|können|könnten|darf|pourriez|peux|pouvez|puedes|puede|podr[íi]as?)(?!\p{L}).{0,40}(?:help|ask|question|helfen|hilfe|frage|fragen|aider|aide|ayudar|ayuda|pregunta)\p{L}{0,4}\W{0,3}(?:\p{L}{1,10}\W{0,3}){0,3}$/iu;

/** The questions that a message asks, at most three, in its order and its words; one where it asks one. Pure. */
export function partsOfQuestion(message: string): string[] {
  if (message.length > MOST_CHARS || QUOTED.test(message)) return [message];
  const parts: string[] = [];
  let context = '';
  for (const piece of message.split(ENDS).flatMap((one) => splitAtJoints(one.trim()))) {
    // What asks nothing is context of the question before it, or of the first one.
    if (ASKS.test(piece) && !COURTESY.test(piece)) parts.push(`${context}${piece}`);
    else if (parts.length > 0) parts.push(`${parts.pop()!} ${piece}`);
    else context += `${piece} `;
    if (parts.length > 0) context = '';
  }
  return parts.length >= 2 && parts.length <= MOST_PARTS ? parts : [message];
}

function splitAtJoints(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: joint, index } of text.matchAll(JOINT)) {
    const part = text.slice(from, index);
    const rest = text.slice(index + joint.length);
    // “When and where is it?” asks one thing, and so does “what happens when it rings and when it does not?”.
    if (!ASKS.test(part) || ENDS_ASKING.test(part) || contentTermsOf(part).length === 0 || isRepeated(part, rest))
      continue;
    parts.push(part.trim());
    from = index + joint.length;
  }
  return [...parts, text.slice(from).trim()].filter((part) => /[\p{L}\p{N}]/u.test(part));
}

/** Whether the word that the second clause begins with joins a clause within the first one. */
function isRepeated(part: string, rest: string): boolean {
  const [word = ''] = /^\p{L}+/u.exec(rest) ?? [];
  return new RegExp(String.raw`(?<=\p{L}\W{1,3})${word}(?!\p{L})`, 'iu').test(part.trim());
}

/** Answers each part with a sentence of its sources, each quoted once, or says that it has no answer; null where none has one. */
export function* answerPartsSteps(parts: readonly QuestionPart[]): Steps<{ readonly answer: string } | null> {
  const answers: string[] = [];
  const notes: string[] = [];
  for (const { question, asked, sources } of parts) {
    const options = asksForList(question) ? { asked } : { asked, maxSentences: 1 };
    const found = sources.length === 0 ? null : yield* answerExtractivelySteps(question, sources, options);
    if (found === null) notes.push(noteOfPart(asked));
    else answers.push(...found.answer.split(BEHIND_MARKER).filter((quoted) => !answers.includes(quoted)));
  }
  return answers.length === 0 ? null : { answer: [...answers, ...notes].join(' ') };
}
