import { Answer } from '#libs/http';

/** How far the vectors of a search counted beside words. */
export class ExplainedTrust {
  /** Language that the factor applies to: that of the question, or otherwise that of most documents; null when neither is known. */
  @Answer.Text({ nullable: true })
  language!: string | null;

  /** Factor by which the weight of the vectors in a fused score is multiplied: from 0.1, if the embedding model does not know the language, to 1. */
  @Answer.Share()
  trust!: number;

  /**
   * Source of the factor. `probes`: measured on probe texts when the model was installed. `sample`: measured on chunks of the searched datasets,
   * since there are no probe texts in the language. `none`: there was too little to measure; the mean of the languages with probe texts is used.
   */
  @Answer.Choice(['probes', 'sample', 'none'])
  source!: 'probes' | 'sample' | 'none';

  /** Whether similarities are calibrated; false while a dataset has vectors from before calibration existed, which a re-embedding replaces. */
  calibrated!: boolean;
}
