import { ApiProperty } from '@nestjs/swagger';

export const WITHHELD_CODES = ['DATASET_OUT_OF_SIGHT', 'SOURCE_OUT_OF_SIGHT', 'SOURCE_CHANGED'] as const;
export type WithheldCode = (typeof WITHHELD_CODES)[number];

/** Why an answer is not shown. */
export class WithheldAnswer {
  /**
   * Why the answer is withheld. `DATASET_OUT_OF_SIGHT`: a dataset that was asked is deleted, or no longer visible to the caller.
   * `SOURCE_OUT_OF_SIGHT`: a document that the answer rests on is deleted, in quarantine or otherwise not shown. `SOURCE_CHANGED`: such a document
   * now shows another text at that place, or has another name than the answer says; a stricter policy may have masked it. Documents of earlier
   * answers in the conversation count as well, where the model was given those answers with the question.
   */
  @ApiProperty({ enum: WITHHELD_CODES })
  code!: WithheldCode;

  /** The reason in a sentence. */
  detail!: string;
}
