import { Injectable } from '@nestjs/common';
import type { ChatUsage } from '#libs/ai';
import { AnswerMarkup } from '../markup/answer-markup.js';
import { findMissing, type Missing } from '#libs/answering';
import { languageOfQuestion } from '#libs/text';
import { judgedSourcesOf } from '../turn/answer-decision.js';
import type { AnswerEvent } from '../turn/answer-event.js';
import type { ChatTurn } from '../turn/chat-turn.js';
import { refusedGrounding } from './grounding-report.js';
import { refusalText, type RefusalCode } from '../turn/refusals.js';
import { SupportMeasure } from './support-measure.service.js';

/** What is known of an answer that is not shown; nothing when the model was not asked. */
export interface RefusedFacts {
  readonly usage?: ChatUsage;
  readonly removedMarkers?: number;
  readonly removedLinks?: number;
  readonly withheld?: number;
}

/** What a refusal needs of its turn. */
export type RefusedTurn = Pick<
  ChatTurn,
  'asked' | 'earlier' | 'answered' | 'next' | 'retrieval' | 'found' | 'measure' | 'nextStep'
>;

/** A passage with this similarity is near by its meaning, whatever words it shares. */
const NEAR = 0.5;
const NO_USAGE: ChatUsage = { promptTokens: 0, completionTokens: 0 };

/** Writes refusals in the language of the question, with what was searched for, what is missing and a tried change that helps. */
@Injectable()
export class RefusalWriter {
  constructor(
    private readonly support: SupportMeasure,
    private readonly markup: AnswerMarkup,
  ) {}

  /** The events of a refusal. */
  *refuse(turn: RefusedTurn, code: RefusalCode, facts: RefusedFacts = {}): Generator<AnswerEvent> {
    const { usage = NO_USAGE, removedMarkers = 0, removedLinks = 0, withheld = 0 } = facts;
    const { found, measure, nextStep } = turn;
    const missing = code === 'UNGROUNDED' ? null : missingOf(turn.retrieval.query, found);
    const said = { code, language: languageOf(turn), query: turn.retrieval.query, missing, nextStep };
    const message = refusalText(said, (text) => this.markup.escape(text));
    yield { kind: 'text', text: message, isRefusal: true };
    // What the model or the check of its sentences refused answers nothing, whatever was found.
    const answered = turn.next.kind === 'refuse' ? turn.answered : 0;
    const grounding = refusedGrounding(this.support, { withheld, answered });
    const decides = turn.next.kind === 'refuse' && code !== 'NO_RESULTS';
    const refusal = { code, message, missing, measure: decides ? measure : null, nextStep };
    const shown = { finishReason: 'stop' as const, usage, citations: [], grounding, refusal };
    yield { kind: 'facts', facts: { ...shown, removedMarkers, removedLinks } };
  }
}

/** What the passages that were found lack. */
export function missingOf(query: string, found: ChatTurn['found']): Missing {
  const isNear = found.results.some(({ scores }) => (scores.vector ?? 0) >= NEAR);
  return findMissing(query, found.question, judgedSourcesOf(found), isNear);
}

function languageOf({ asked, earlier, found }: RefusedTurn): string {
  return languageOfQuestion(asked, { earlier, passages: found.results.map(({ text }) => text) });
}
