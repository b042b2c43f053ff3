/** A row of `chunks` as the chunk list shows it. */
export interface ChunkRow {
  readonly id: string;
  readonly ordinal: number;
  readonly text_start: string;
  readonly text_end: string;
  readonly body: string;
  readonly token_count: number;
  readonly heading_path: readonly string[];
  readonly page: number | null;
  /** Also null for a chunk that has a page but was made before this column existed. */
  readonly page_end: number | null;
  readonly sheet: string | null;
  readonly row_number: number | null;
  readonly context: string | null;
}
