/** Rows of one table in a view. */
export interface ViewPart {
  readonly from: string;
  readonly columns: readonly ViewColumn[];
}

/** A column of a part: one of its own, as a type where it is cast, or a text that is the same in each row. */
export type ViewColumn =
  { readonly name: string; readonly castTo?: string } | { readonly name: string; readonly text: string };
