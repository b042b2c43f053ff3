import type { TurnFeedbackRow } from '../questions/question-outcomes.repository.js';
import type { Conversation, ConversationTurn } from './conversation.dto.js';
import type { AnswerShare, OwnSharedAnswer, SharedAnswer } from './shared-answer.dto.js';
import type { TurnAnswer } from './turn-answer.dto.js';
import type { TurnRow } from './conversation-turns.repository.js';
import type { ConversationRow } from './conversations.repository.js';
import type { SeenAnswer } from './visible-answers.service.js';
import type { FoundSharedAnswerRow, OwnSharedAnswerRow, SharedAnswerRow } from './shared-answers.repository.js';
import type { StoredAnswer } from '../turn/stored-answer.js';
import type { WithheldAnswer, WithheldCode } from './withheld-answer.dto.js';

const DAY_MS = 86_400_000;

const DETAILS: Readonly<Record<WithheldCode, string>> = {
  DATASET_OUT_OF_SIGHT:
    'A dataset that this answer, or an earlier answer that it continues, depends on is deleted, or no longer visible to you.',
  SOURCE_OUT_OF_SIGHT:
    'A document that this answer, or an earlier answer that it continues, rests on is no longer shown to you: it is deleted, in quarantine or being replaced.',
  SOURCE_CHANGED:
    'A document that this answer, or an earlier answer that it continues, rests on has changed. Ask again.',
};

export function toConversation(row: ConversationRow, keptDays: number): Conversation {
  const { id, title, turn_count, created_at, last_turn_at } = row;
  return {
    id,
    title,
    turn_count,
    created_at: created_at.toISOString(),
    last_turn_at: last_turn_at.toISOString(),
    expires_at: expiryOf(last_turn_at, keptDays),
  };
}

/** When a conversation is removed if it is not continued. */
function expiryOf(lastTurnAt: Date, keptDays: number): string {
  return new Date(lastTurnAt.getTime() + keptDays * DAY_MS).toISOString();
}

/** What is beside a turn. */
interface TurnNotes {
  readonly feedback: TurnFeedbackRow | undefined;
  readonly share: SharedAnswerRow | undefined;
}

export function toConversationTurn(row: TurnRow, seen: SeenAnswer, { feedback, share }: TurnNotes): ConversationTurn {
  return {
    id: row.id,
    place: row.place,
    request_id: row.request_id,
    asked_at: row.asked_at.toISOString(),
    answered_at: row.answered_at.toISOString(),
    question: row.question,
    model: row.model,
    dataset_ids: [...row.dataset_ids],
    state: row.state,
    answer: seen.answer === null ? null : toTurnAnswer(seen.answer),
    withheld: toWithheld(seen),
    feedback:
      feedback === undefined ? null : { rating: feedback.rating, reason: feedback.reason, expected: feedback.expected },
    share: share === undefined ? null : toAnswerShare(share),
  };
}

function toWithheld({ withheld }: SeenAnswer): WithheldAnswer | null {
  return withheld === null ? null : { code: withheld, detail: DETAILS[withheld] };
}

export function toAnswerShare({ id, created_at: createdAt }: SharedAnswerRow): AnswerShare {
  return { id, created_at: createdAt.toISOString() };
}

export function toOwnSharedAnswer(row: OwnSharedAnswerRow, seen: SeenAnswer, keptDays: number): OwnSharedAnswer {
  return {
    ...toAnswerShare(row),
    question: row.question,
    conversation_id: row.conversation_id,
    conversation_title: row.title,
    turn_id: row.turn_id,
    expires_at: expiryOf(row.last_turn_at, keptDays),
    withheld: toWithheld(seen),
  };
}

export function toSharedAnswer(shared: FoundSharedAnswerRow, turn: TurnRow, answer: StoredAnswer): SharedAnswer {
  const { conversation_id, turn_id } = shared;
  return {
    ...toAnswerShare(shared),
    question: turn.question,
    asked_at: turn.asked_at.toISOString(),
    answered_at: turn.answered_at.toISOString(),
    model: turn.model,
    dataset_ids: [...turn.dataset_ids],
    state: turn.state,
    answer: toTurnAnswer(answer),
    own: shared.is_own ? { conversation_id, turn_id } : null,
  };
}

function toTurnAnswer(answer: StoredAnswer): TurnAnswer {
  const { text, finish_reason, citations, sources, grounding, refusal, table } = answer;
  return { content: text, finish_reason, citations: [...citations], sources: [...sources], grounding, refusal, table };
}
