import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject } from '#libs/common';
import { MISSING_KINDS, type MissingKind } from '#libs/text';
import { AnswerMeasure } from '../../retrieval/index.js';
import { REFUSAL_CODES, type RefusalCode } from './refusals.js';

export const NEXT_STEPS = ['filters', 'threshold', 'method', 'all'] as const;

/** What a refused question could be asked with: the same search with something taken out of its way. */
export class ChatNextStep {
  /** `filters` or `threshold` (the least score) left out; `method`: hybrid search; `all` of them. */
  @ApiProperty({ enum: NEXT_STEPS })
  kind!: (typeof NEXT_STEPS)[number];

  /** JSON Merge Patch (RFC 7396) of `retrieval` in the request. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: { filters: null } })
  change!: JsonObject;

  /** Always true: it was searched with the change, and what was found is answered; by a model that writes, as far as the search tells. */
  @ApiProperty({ type: Boolean })
  verified!: boolean;
}

/** Why there is no answer. `sources` hold the nearest passages, which do not answer the question. */
export class ChatRefusal {
  /**
   * `NO_RESULTS`: nothing was found. `INSUFFICIENT_EVIDENCE`: what was found has too little to do with the question.
   * `NOT_ANSWERED`: the model found no answer in the sources. `UNGROUNDED`: `grounding` is `strict` and the sources do not
   * support the answer.
   */
  @ApiProperty({ enum: REFUSAL_CODES })
  code!: RefusalCode;

  /**
   * The same text as the content of the message, in the language of the question (English where it is none of twelve): that there is
   * no answer, what was looked for, what is missing, and a next step that was seen to help.
   */
  message!: string;

  /**
   * What is missing, by words: `nothing_alike`; `another_thing`: the nearest passage is about something alike, without what the
   * question names (a name, a place, a number, the second of several); `too_weak`: it says too little. null with `UNGROUNDED`.
   */
  @ApiProperty({ enum: MISSING_KINDS, nullable: true, type: String })
  missing!: MissingKind | null;

  /** What of the question the nearest passage lacks, the rarest first: with `another_thing` names and numbers, else words. */
  @ApiProperty({ type: [String], maxItems: 5 })
  missing_words!: string[];

  /** What decided, with its bar, for `INSUFFICIENT_EVIDENCE`; else null. */
  @ApiProperty({ type: AnswerMeasure, nullable: true })
  measure!: AnswerMeasure | null;

  /** What was seen to help, where the search was narrowed by filters, a least score or its method; else null. */
  @ApiProperty({ type: ChatNextStep, nullable: true })
  next_step!: ChatNextStep | null;
}
