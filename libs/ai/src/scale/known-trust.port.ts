import type { Embedder } from '../embedder.port.js';

/** Trust in the vectors of a model for questions of a language. */
export interface LanguageTrust {
  readonly language: string;
  /** 0.1 to 1. */
  readonly trust: number;
}

/** Measurements of embedding models. Injection token. */
export abstract class KnownTrust {
  /** By language; null for a model that has no scale (a hashed one), or none yet. */
  abstract trusted(model: Pick<Embedder, 'descriptor'>): Promise<readonly LanguageTrust[] | null>;
}
