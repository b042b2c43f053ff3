import type { GraphEntityType } from '../../ingestion-policy/index.js';
import type { Word } from './sentence-words.js';

/** How words are elsewhere in the same text. */
export interface WordUse {
  /** Words seen with a small first letter. */
  readonly small: ReadonlySet<string>;
  /** Words seen in capitals where no sentence, line or cell begins. */
  readonly capital: ReadonlySet<string>;
  /** Nouns have capitals, so that a capital letter tells nothing. */
  readonly nounsInCapitals: boolean;
}

/** What a name is looked at in. */
export interface NameContext {
  readonly sentence: string;
  readonly words: readonly Word[];
  readonly use: WordUse;
}

/** A name that is to be judged: its first and last word, and what is in front of it. */
export interface Candidate {
  readonly first: number;
  readonly to: number;
  readonly title: 'sure' | 'loose' | null;
  readonly told: GraphEntityType | null;
}
