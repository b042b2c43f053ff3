import type { EmbedderDescriptor } from '../embedder.port.js';
import type { MeaningCentre } from './meaning-centre.js';

/** Statistics of the cosines of questions and passages in an embedding space, between two languages. */
export interface PairScale {
  /** Mean cosine of a question and a passage about something else. */
  readonly unrelated: number;
  /** Standard deviation of the same. */
  readonly spread: number;
  /** Mean cosine of a question and the passage that answers it. */
  readonly related: number;
  /**
   * Discrimination of the model, 0 to 1: the mean of the share of pairs in order (area under the curve) and the mean reciprocal rank of the right
   * passage. About 0.4 by chance.
   */
  readonly discrimination: number;
}

/** The scale of an embedding space, by the languages of question and passage, as measured on the probe texts. */
export interface EmbeddingScale {
  /** `PROBES_VERSION` of the texts. */
  readonly probes: number;
  readonly pairs: Readonly<Record<string, Readonly<Record<string, PairScale>>>>;
  /** Absent: measured by a version that compared no single statements. */
  readonly centre?: MeaningCentre;
}

/** This many spreads above what unrelated texts have, a calibrated cosine is one half: as alike as a question and its passage mostly are. */
const MIDDLE = 2;
/** Spreads that take a calibrated cosine from one half to 0.73. */
const SLOPE = 1.5;
/** Discrimination at and below which a model knows nothing of a language, and from which it is trusted wholly. */
const STRANGE = 0.55;
const FAMILIAR = 0.65;
/** What is left of the trust then: enough to order what no word finds. */
const LEAST_TRUST = 0.1;

/** The numbers of the formulas: a change of any changes scores. */
export const CALIBRATION_PARAMETERS = { MIDDLE, SLOPE, STRANGE, FAMILIAR, LEAST_TRUST } as const;

/** Trust in a model with this discrimination, `LEAST_TRUST` to 1. */
export function trustOf(discrimination: number, strange = STRANGE, familiar = FAMILIAR): number {
  return Math.max(LEAST_TRUST, Math.min(1, (discrimination - strange) / (familiar - strange)));
}

/** The trust in a model for a language, of what was measured: the least where it is known not to know the language. */
export function trustIn(
  { knows }: Pick<EmbedderDescriptor, 'knows'>,
  language: string | null,
  measured: number,
): number {
  return knows === undefined || language === null || knows.includes(language) ? measured : LEAST_TRUST;
}

/** Converts cosines with a question of one language into values of 0 to 1 that are comparable between models and languages. */
export class Calibration {
  private readonly own: PairScale;
  private readonly trust: number;

  /** `language` must have a scale of its own in `scale`. */
  constructor(
    private readonly scale: EmbeddingScale,
    private readonly language: string,
  ) {
    const own = scale.pairs[language]?.[language];
    if (own === undefined) throw new RangeError(`the scale knows nothing of ${language}`);
    this.own = own;
    this.trust = trustOf(own.discrimination);
  }

  /**
   * A cosine with a passage of `passageLanguage` (the question's own where it is not known), calibrated: above 0 and below 1, more for a
   * greater cosine, one half where it is `MIDDLE` spreads above that of unrelated texts. Between two languages the level of unrelated texts
   * lies halfway between that of the question's language and that of the pair, so that passages in the question's language stay a
   * little ahead; a pair that the model knows less well than the language itself counts as much less.
   */
  of(cosine: number, passageLanguage: string | null): number {
    const pair = this.scale.pairs[this.language]?.[passageLanguage ?? this.language] ?? this.own;
    const level = (this.own.unrelated + pair.unrelated) / 2;
    const spreads = (cosine - level) / this.own.spread;
    const value = 1 / (1 + Math.exp(-(spreads - MIDDLE) / SLOPE));
    return value * Math.min(1, trustOf(pair.discrimination) / this.trust);
  }
}
