/** The rows of a table that a markup writes. */
export interface MarkupTable {
  readonly rows: readonly (readonly string[])[];
  /** What the markup calls it; a line of text above it. */
  readonly caption?: string;
  /** First rows that the markup makes header; undefined: it does not say. */
  readonly headerRows?: number;
}
