import type { GraphEntityType } from '../../ingestion-policy/index.js';

/** Increases when the same text gives another result; documents are then extracted again. */
export const EXTRACTOR_VERSION = 4;

/** A stretch of a document's canonical text, usually a chunk. */
export interface Passage {
  /** Where it begins in the canonical text, in UTF-16 code units. */
  readonly start: number;
  readonly text: string;
  /** Headings above it, outermost first. */
  readonly headings: readonly string[];
}

/** One place where a text names an entity. */
export interface ExtractedMention {
  /** What the entity is known by: its label in `entityKeyOf`'s form. */
  readonly key: string;
  /** Its fullest name in these passages. */
  readonly label: string;
  readonly type: GraphEntityType;
  /** As the text has it here: the label, or another form of the name. */
  readonly form: string;
  /** In the canonical text, in UTF-16 code units; `end` is behind the last one. */
  readonly start: number;
  readonly end: number;
  /** Where the sentence begins: mentions with the same number are together. */
  readonly sentence: number;
  /** Which of the passages it is in. */
  readonly passage: number;
}

/** A sentence that says how two entities belong together. */
export interface ExtractedRelation {
  readonly source: string;
  readonly target: string;
  /** For example `located_in`. */
  readonly relation: string;
  readonly start: number;
  readonly end: number;
  readonly passage: number;
}

/** What passages say, in the order of the text. */
export interface ExtractedGraph {
  readonly mentions: readonly ExtractedMention[];
  readonly relations: readonly ExtractedRelation[];
}
