import type { DatasetId } from '#libs/common';
import type { AnswerFacts } from '../turn/answer-event.js';
import type { ChatTurn, TurnSource } from '../turn/chat-turn.js';
import { toRefusal, toSource } from '../turn/completion-views.js';
import type { TurnId, TurnState } from '../turn/conversation.entity.js';
import type { StoredAnswer } from '../turn/stored-answer.js';

/** A turn that has ended, completely or not. */
export interface EndedTurn {
  readonly state: TurnState;
  readonly requestId: string;
  readonly question: string;
  readonly model: string;
  /** Datasets that the answer depends on: all that were asked, or those of the citations of an answer that only quotes. */
  readonly datasetIds: readonly string[];
  /** Earlier turns of the conversation whose answers the model has read, and those that these were given in their turn. */
  readonly contextTurnIds: readonly TurnId[];
  readonly askedAt: Date;
  readonly content: StoredAnswer;
}

/** A turn with the whole answer. */
export function completeTurn(turn: ChatTurn, text: string, facts: AnswerFacts): EndedTurn {
  const refusal = facts.refusal === null ? null : toRefusal(facts.refusal);
  const { citations, grounding, finishReason } = facts;
  return endedTurn(turn, 'complete', { text, finish_reason: finishReason, citations, grounding, refusal });
}

/** A turn whose answer was cut off: its text so far, without the facts that are only known at the end. */
export function cutTurn(turn: ChatTurn, text: string, state: Exclude<TurnState, 'complete'>): EndedTurn {
  return endedTurn(turn, state, { text, finish_reason: null, citations: [], grounding: null, refusal: null });
}

type Said = Pick<StoredAnswer, 'text' | 'finish_reason' | 'citations' | 'grounding' | 'refusal'>;

function endedTurn(turn: ChatTurn, state: TurnState, said: Said): EndedTurn {
  const { datasetIds, sources } = saysOnlyWhatItCites(turn, said) ? citedOf(turn, said) : turn;
  const used = [...sources, ...said.citations].map(({ document_id }) => document_id);
  return {
    state,
    requestId: turn.requestId,
    question: turn.asked,
    model: turn.model,
    datasetIds,
    contextTurnIds: hasReadAnswers(turn) ? turn.earlierTurnIds : [],
    askedAt: turn.askedAt,
    content: {
      ...said,
      sources: sources.map(toSource),
      table: turn.retrieval.table,
      document_ids: [...new Set([...used, ...turn.tableDocuments])],
    },
  };
}

/**
 * Whether everything of the answer comes from cited sources: a model that quotes has written it, and all of it is word for word in its citations.
 * A model that writes has read all its sources and may repeat any of them.
 */
function saysOnlyWhatItCites({ next, chatModel, retrieval, tableDocuments }: ChatTurn, said: Said): boolean {
  const { text, citations, refusal } = said;
  if (next.kind !== 'ask' || chatModel.descriptor.kind !== 'extractive') return false;
  if (refusal !== null || retrieval.table !== null || tableDocuments.length > 0 || citations.length === 0) return false;
  const isVerbatim = citations.every(({ support_score: score, verified }) => score === 1 && verified);
  return isVerbatim && !/[\p{L}\p{N}]/u.test(outsideOf(text, citations));
}

/** What of a text belongs to no citation, without markers. */
function outsideOf(text: string, citations: Said['citations']): string {
  let [rest, at] = ['', 0];
  for (const { answer_start: start, answer_end: end } of citations.toSorted(byStart)) {
    rest += text.slice(at, Math.max(at, start));
    at = Math.max(at, end);
  }
  return (rest + text.slice(at)).replaceAll(/\[\d+\]/g, '');
}

function byStart(one: Said['citations'][number], other: Said['citations'][number]): number {
  return one.answer_start - other.answer_start;
}

/** The cited sources and their datasets. */
function citedOf(
  turn: ChatTurn,
  { citations }: Said,
): { readonly datasetIds: readonly DatasetId[]; readonly sources: readonly TurnSource[] } {
  const cited = new Set(citations.map(({ chunk_id: id }) => id));
  const sources = turn.sources.filter(({ chunk_id: id }) => cited.has(id));
  const datasets = new Set<string>([...sources, ...citations].map(({ dataset_id: id }) => id));
  return { datasetIds: turn.datasetIds.filter((id) => datasets.has(id)), sources };
}

/** Only a model that is asked reads earlier answers, and not every one does: tables, refusals and talk are made of the question. */
function hasReadAnswers({ next }: ChatTurn): boolean {
  return next.kind === 'ask' && next.request.messages.some(({ role }) => role === 'assistant');
}
