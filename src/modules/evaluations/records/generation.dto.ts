import { Answer, Choice, Integer, Text, Uuid, Uuids } from '#libs/http';
import { MAX_CASES } from '../cases/evaluation-case.js';
import {
  GENERATION_METHODS,
  GENERATION_STATUSES,
  type GenerationMethod,
  type GenerationStatus,
} from '../cases/generation-state.js';

export const MAX_GENERATED_NAME = 200;
const MAX_FURTHER_DATASETS = 10;
const MAX_SEED = 2_147_483_647;

/** Request to generate cases. */
export class GenerateCaseSetRequest {
  /** Identifier of the dataset that the questions are about. */
  @Uuid()
  dataset_id!: string;

  /**
   * Number of cases to generate, 1 to 2,000; there may be fewer. With `unanswerable_from` a fifth of them, at least one, has no answer, so the
   * minimum is two.
   */
  @Integer({ min: 1, max: MAX_CASES })
  count!: number;

  /**
   * How questions are made. `rules`: from sentences, by patterns of their language (German, English, Spanish, French, Chinese); at times clumsy,
   * and close to the words of the document. `llm`: by the configured chat model, which costs tokens.
   */
  @Choice(GENERATION_METHODS)
  method!: GenerationMethod;

  /**
   * Identifiers of other datasets, at most 10. Questions about their subjects that `dataset_id` does not answer become the unanswerable cases.
   * The set is visible only to those who see all of these datasets.
   */
  @Uuids({ optional: true, max: MAX_FURTHER_DATASETS, unique: true, default: [] })
  unanswerable_from?: string[];

  /** Name of the case set. Default: `Cases of` and the dataset's name. */
  @Text({ optional: true, filled: true, max: MAX_GENERATED_NAME })
  name?: string;

  /**
   * Seed of the choice of sentences and questions. With `rules` the same seed gives the same cases for the same content; with `llm` only as far
   * as the model supports a seed.
   */
  @Integer({ optional: true, min: 0, max: MAX_SEED, default: 0 })
  seed?: number;
}

/** Why no cases were made. */
export class GenerationError {
  /** Stable error code. */
  code!: string;

  /** What happened, and what to do. */
  detail!: string;
}

/** Method and progress of the generation of a set's cases. */
export class CaseSetGeneration {
  /** State of the generation. It is also `completed` where fewer cases could be made than requested. */
  @Answer.Choice(GENERATION_STATUSES)
  status!: GenerationStatus;

  /** How questions are made. */
  @Answer.Choice(GENERATION_METHODS)
  method!: GenerationMethod;

  /** Identifier of the dataset that the questions are about. */
  @Answer.Uuid()
  dataset_id!: string;

  /** Identifiers of the datasets about whose subjects the unanswerable cases are. */
  @Answer.Uuids()
  unanswerable_from!: string[];

  /** Number of requested cases. */
  @Answer.Count()
  count!: number;

  /** Seed: the same seed gives the same cases for the same content. */
  @Answer.Integer()
  seed!: number;

  /** Name of the model that writes the questions; null with `rules`. */
  @Answer.Text({ nullable: true })
  model!: string | null;

  /** Why the generation failed; null unless it failed. */
  @Answer.Nested(GenerationError, { nullable: true })
  error!: GenerationError | null;
}
