import type { ModelCallOptions } from './model-call.js';

/** Facts about an entailment model, as data. */
export interface EntailmentDescriptor {
  /** The kind under which it is registered. */
  readonly provider: string;
  readonly model: string;
  /** Maximum number of texts in one call of `entail`. */
  readonly maxTexts: number;
}

/** Measures whether a text entails a statement (natural language inference). Implementations must pass `describeEntailmentModel`. */
export abstract class EntailmentModel {
  abstract readonly descriptor: EntailmentDescriptor;

  /**
   * For each text, in order, the probability (0 to 1) that it entails the statement. All of a text is read. The same statement and text have the
   * same probability regardless of the other texts.
   * @throws `ai.batch_too_large` beyond `maxTexts`, `ai.provider_unavailable`; the signal's reason after an abort
   */
  abstract entail(statement: string, texts: readonly string[], options?: ModelCallOptions): Promise<readonly number[]>;
}
