import { Answer } from '#libs/http';

/** The chunk that is explained; if several meet the expectation, the one that got furthest in the search. */
export class ExplainedChunk {
  /** Identifier of the chunk. */
  @Answer.Uuid()
  chunk_id!: string;

  /** Number of the chunk within the document, from 0. */
  @Answer.Count()
  ordinal!: number;

  /** Offset of the first UTF-16 code unit in the document's canonical text. */
  @Answer.Count()
  char_start!: number;

  /** Offset just after the last code unit. */
  @Answer.Count()
  char_end!: number;
}
