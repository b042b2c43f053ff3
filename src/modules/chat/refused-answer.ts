import type { ChatUsage } from '#libs/ai';
import type { AnswerEvent } from './answer-event.js';
import type { ChatTurn } from './chat-turn.js';
import { refusedGrounding } from './grounding-report.js';
import { refusalFor, type RefusalCode } from './refusals.js';
import type { SupportMeasure } from './support-measure.js';

/** What is known of an answer that is not shown; nothing when the model was not asked. */
export interface RefusedFacts {
  readonly usage?: ChatUsage;
  readonly removedMarkers?: number;
  readonly removedLinks?: number;
  readonly withheld?: number;
}

const NO_USAGE: ChatUsage = { promptTokens: 0, completionTokens: 0 };

/** The events of a refusal. */
export function* refuse(
  turn: Pick<ChatTurn, 'asked' | 'answered' | 'next'>,
  code: RefusalCode,
  measure: SupportMeasure,
  facts: RefusedFacts = {},
): Generator<AnswerEvent> {
  const { usage = NO_USAGE, removedMarkers = 0, removedLinks = 0, withheld = 0 } = facts;
  const refusal = refusalFor(code, turn.asked);
  yield { kind: 'text', text: refusal.message, isRefusal: true };
  // What the model or the check of its sentences refused answers nothing, whatever was found.
  const answered = turn.next.kind === 'refuse' ? turn.answered : 0;
  const grounding = refusedGrounding(measure, { withheld, answered });
  const shown = { finishReason: 'stop' as const, usage, citations: [], grounding, refusal };
  yield { kind: 'facts', facts: { ...shown, removedMarkers, removedLinks } };
}
