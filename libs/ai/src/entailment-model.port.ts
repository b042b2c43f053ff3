import type { ModelCallOptions } from './model-call.js';

/** Facts about an entailment model, as data. */
export interface EntailmentDescriptor {
  /** The kind under which it is registered. */
  readonly provider: string;
  readonly model: string;
  /** The most texts that one call of `entail` accepts. */
  readonly maxTexts: number;
}

/**
 * Tells whether a text says what a statement says (natural language inference). Implementations must pass `describeEntailmentModel`.
 */
export abstract class EntailmentModel {
  abstract readonly descriptor: EntailmentDescriptor;

  /**
   * For each text, in their order, the probability (0 to 1) that anyone who believes it must believe the statement. All of a text is read.
   * The same statement and text have the same probability whatever else is asked.
   * @throws `ai.batch_too_large` beyond `maxTexts`, `ai.provider_unavailable`; the signal's reason after an abort
   */
  abstract entail(statement: string, texts: readonly string[], options?: ModelCallOptions): Promise<readonly number[]>;
}
