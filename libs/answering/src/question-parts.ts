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
const QUESTION_WORD = String.raw`(?:who|whom|whose|what|which|when|where|how|why|wer|wen|wem|was|welche\p{L}?|wann|wo|wohin|wie|warum|wieso|qui|que|quoi|quel\p{L}*|quand|où|comment|combien|pourquoi|qui[ée]n|qu[ée]|cu[áa]l|cu[áa]ndo|d[óo]nde|c[óo]mo|cu[áa]nt[oa]s?)(?!\p{L})`;
/** An *and* before a question word, which may follow a preposition. */
const JOINT = new RegExp(
  String.raw`,?\s+(?:and|und|et|y|e)(?:\s+(?:also|auch|aussi|también))?\s+(?=(?:(?:to|by|from|for|in|at|until|since|von|bei|mit|für|bis|ab|seit|à|de|jusqu['’]à|a|con|desde|hasta)\s+)?${QUESTION_WORD})`,
  'giu',
);
const ENDS_ASKING = new RegExp(String.raw`(?<!\p{L})${QUESTION_WORD}\W*$`, 'iu');
/** A question word anywhere, or a verb at the beginning that makes a question. */
const ASKS = new RegExp(
  String.raw`(?<!\p{L})${QUESTION_WORD}|^\W*(?:is|are|was|were|do|does|did|can|could|may|must|should|will|would|have|has|ist|sind|war|kann|können|darf|dürfen|muss|müssen|soll|gibt|hat|haben|est-ce|peut-on|puis-je|faut-il|y a-t-il|hay|puedo|puede|se puede|está|están|tengo)(?!\p{L})|[?？؟]`,
  'iu',
);

/** The questions that a message asks, at most three, in its order and its words; one where it asks one. Pure. */
export function partsOfQuestion(message: string): string[] {
  const parts: string[] = [];
  let context = '';
  const pieces = message
    .split(/(?<=[?？؟]["'”’»）)]{0,3})(?=\s|\p{L})/u)
    .flatMap((piece) => splitAtJoints(piece.trim()));
  for (const piece of pieces) {
    // What asks nothing is context of the question before it, or of the first one.
    if (ASKS.test(piece)) parts.push(`${context}${piece}`);
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
    // “When and where is it?” asks one thing.
    if (!ASKS.test(part) || ENDS_ASKING.test(part) || contentTermsOf(part).length === 0) continue;
    parts.push(part.trim());
    from = index + joint.length;
  }
  return [...parts, text.slice(from).trim()].filter((part) => /[\p{L}\p{N}]/u.test(part));
}

/** Answers each part with a sentence of its sources, or says that it has no answer; null where none has one. */
export function* answerPartsSteps(parts: readonly QuestionPart[]): Steps<{ readonly answer: string } | null> {
  const answers: string[] = [];
  const notes: string[] = [];
  for (const { question, asked, sources } of parts) {
    const options = asksForList(question) ? {} : { maxSentences: 1 };
    const found = sources.length === 0 ? null : yield* answerExtractivelySteps(question, sources, options);
    if (found === null) notes.push(noteOfPart(asked));
    else if (!answers.includes(found.answer)) answers.push(found.answer);
  }
  return answers.length === 0 ? null : { answer: [...answers, ...notes].join(' ') };
}
