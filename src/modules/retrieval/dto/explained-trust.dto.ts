import { ApiProperty } from '@nestjs/swagger';

/** How far the vectors of a search were trusted beside words. */
export class ExplainedTrust {
  /** The language that it was decided for, of the question or else of most documents; null where neither is known. */
  @ApiProperty({ type: String, nullable: true })
  language!: string | null;

  /** 0.1, where the embedding model knows nothing of the language, to 1: the share of the vectors in a fused score is multiplied by it. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  trust!: number;

  /**
   * `probes`: measured on probe texts when the model was installed. `sample`: on chunks of the datasets asked, because there are no
   * probe texts in the language. `none`: there was too little to measure, and the mean of the languages with probe texts holds.
   */
  @ApiProperty({ enum: ['probes', 'sample', 'none'] })
  source!: 'probes' | 'sample' | 'none';

  /** Whether similarities are calibrated; false where vectors of a dataset are older than scales, until it is re-embedded. */
  calibrated!: boolean;
}
