import type { ChatQuestionPart, ChatRequest, ChatSource } from '#libs/ai';
import type { TurnSource } from '../turn/chat-turn.js';
import type { DecidedTurn } from './turn-decision.js';

/** A question of a message that asks several, with what was decided of it alone. */
export interface DecidedPart {
  /** Understandable without the others, and as the message writes it. */
  readonly question: string;
  readonly asked: string;
  readonly decided: DecidedTurn;
}

/**
 * The turn of a message that asks several questions, of which some are answered: every passage once, with one number, and for each question
 * those that may answer it, and the warnings of all their searches. The whole stays as it is where none is. `answered` is the mean over those that are answered.
 */
export function combinedTurn(whole: DecidedTurn, parts: readonly DecidedPart[]): DecidedTurn {
  const requests = parts.map(({ decided: { next } }) => (next.kind === 'ask' ? next.request : null));
  const asked = requests.find((request) => request !== null);
  if (asked === undefined) return whole;
  const numbers = new Map<string, TurnSource>();
  const offered = new Map<number, ChatSource>();
  const questions = parts.map((part, at): ChatQuestionPart => {
    const { question, asked: words } = part;
    return { question, asked: words, sources: sourcesOf(part, requests[at]!, numbers, offered) };
  });
  const values = parts.flatMap(({ decided }, at) => (requests[at] === null ? [] : [decided.answered]));
  const answered = values.reduce((sum, value) => sum + value, 0) / values.length;
  const request = { ...asked, question: parts.map(({ asked: words }) => words).join(' '), parts: questions };
  return {
    ...whole,
    retrieval: { ...whole.retrieval, warnings: warningsOf([whole, ...parts.map(({ decided }) => decided)]) },
    sources: [...numbers.values()],
    answered,
    measure: { ...whole.measure, value: answered },
    computed: null,
    tableDocuments: [],
    next: { kind: 'ask', request: { ...request, sources: [...offered.values()] } },
  };
}

/** What any of the searches warns of, each once. */
function warningsOf(turns: readonly DecidedTurn[]): DecidedTurn['retrieval']['warnings'] {
  const all = turns.flatMap(({ retrieval }) => retrieval.warnings);
  return [...new Map(all.map((warning) => [`${warning.code} ${warning.detail}`, warning])).values()];
}

/** What a question is given, under the numbers that its passages have among all. */
function sourcesOf(
  { decided: { sources } }: DecidedPart,
  request: ChatRequest | null,
  numbers: Map<string, TurnSource>,
  offered: Map<number, ChatSource>,
): ChatSource[] {
  return (request?.sources ?? []).map((source, at) => {
    const shown = sources[at]!;
    const key = `${shown.chunk_id} ${shown.char_start} ${shown.char_end}`;
    const number = numbers.get(key)?.number ?? numbers.size + 1;
    if (!numbers.has(key)) numbers.set(key, { ...shown, number, marker: `[${number}]` });
    const given = { ...source, number };
    if (!offered.has(number)) offered.set(number, given);
    return given;
  });
}
