import type { AnswerFacts } from '../turn/answer-event.js';
import type { ChatTurn } from '../turn/chat-turn.js';
import { toRefusal, toSource } from '../turn/completion-views.js';
import type { TurnId, TurnState } from '../turn/conversation.entity.js';
import type { StoredAnswer } from '../turn/stored-answer.js';

/** A turn that has ended, however. */
export interface EndedTurn {
  readonly state: TurnState;
  readonly requestId: string;
  readonly question: string;
  readonly model: string;
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

/** A turn whose answer was cut off: what was said until then, without what is only known at the end. */
export function cutTurn(turn: ChatTurn, text: string, state: Exclude<TurnState, 'complete'>): EndedTurn {
  return endedTurn(turn, state, { text, finish_reason: null, citations: [], grounding: null, refusal: null });
}

type Said = Pick<StoredAnswer, 'text' | 'finish_reason' | 'citations' | 'grounding' | 'refusal'>;

function endedTurn(turn: ChatTurn, state: TurnState, said: Said): EndedTurn {
  const sources = turn.sources.map(toSource);
  const cited = [...sources, ...said.citations].map(({ document_id }) => document_id);
  return {
    state,
    requestId: turn.requestId,
    question: turn.asked,
    model: turn.model,
    datasetIds: turn.datasetIds,
    contextTurnIds: hasReadAnswers(turn) ? turn.earlierTurnIds : [],
    askedAt: turn.askedAt,
    content: {
      ...said,
      sources,
      table: turn.retrieval.table,
      document_ids: [...new Set([...cited, ...turn.tableDocuments])],
    },
  };
}

/** Only a model that is asked reads earlier answers, and not every one does: tables, refusals and talk are made of the question. */
function hasReadAnswers({ next }: ChatTurn): boolean {
  return next.kind === 'ask' && next.request.messages.some(({ role }) => role === 'assistant');
}
