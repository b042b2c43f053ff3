import { Answer } from '#libs/http';
import type { JsonObject } from '#libs/common';
import { MISSING_KINDS, type MissingKind } from '#libs/answering';
import { AnswerMeasure } from '../../retrieval/index.js';
import { REFUSAL_CODES, type RefusalCode } from './refusals.js';

export const NEXT_STEPS = ['filters', 'threshold', 'method', 'all'] as const;

/** A change of the search with which the refused question is answered. */
export class ChatNextStep {
  /**
   * Kind of the change. `filters`: the filters are removed. `threshold`: the score threshold is removed. `method`: the search is hybrid. `all`:
   * all of these.
   */
  @Answer.Choice(NEXT_STEPS)
  kind!: (typeof NEXT_STEPS)[number];

  /** The change, as a JSON Merge Patch (RFC 7396) of `retrieval` in the request. */
  @Answer.Json({ example: { filters: null } })
  change!: JsonObject;

  /**
   * Always true: the search was tried with the change and found results that answer the question. Where a model writes the answers, the model
   * itself was not asked.
   */
  @Answer.Flag()
  verified!: boolean;
}

/** Why there is no answer. `sources` hold the nearest passages, which do not answer the question. */
export class ChatRefusal {
  /**
   * Code of the reason. `NO_RESULTS`: the search found nothing. `INSUFFICIENT_EVIDENCE`: the results have too little to do with the question.
   * `NOT_ANSWERED`: the model found no answer in the sources. `UNGROUNDED`: `grounding` is `strict` and the sources do not support the answer.
   */
  @Answer.Choice(REFUSAL_CODES)
  code!: RefusalCode;

  /**
   * Text of the refusal, the same as the content of the message, in the language of the question if that is one of twelve, otherwise in English.
   * It says that there is no answer, what was searched for, what is missing, and a next step that was tried and helps.
   */
  message!: string;

  /**
   * What the nearest passage lacks. `nothing_alike`: there is no passage about anything similar. `another_thing`: the nearest passage is about
   * something similar, but lacks what the question names (a name, a place, a number, the second of several). `too_weak`: the nearest passage says
   * too little. null with `UNGROUNDED`.
   */
  @Answer.Choice(MISSING_KINDS, { nullable: true })
  missing!: MissingKind | null;

  /** Words of the question that the nearest passage lacks, rarest first: with `another_thing` names and numbers, otherwise any words. */
  @Answer.Texts({ max: 5 })
  missing_words!: string[];

  /** The measure that decided and its threshold, for `INSUFFICIENT_EVIDENCE`; null otherwise. */
  @Answer.Nested(AnswerMeasure, { nullable: true })
  measure!: AnswerMeasure | null;

  /** Change of the request that was tried and helps, where filters, a score threshold or the search method narrowed the search; null otherwise. */
  @Answer.Nested(ChatNextStep, { nullable: true })
  next_step!: ChatNextStep | null;
}
