/** Texts of an answer and of its documents, to be judged. */
export interface JudgedAnswer {
  readonly question: string;
  readonly answer: string;
  readonly fragments: readonly string[];
  /** Null where the case has none. */
  readonly expected: string | null;
}

/** A value, or questions whose nearness to the one that was asked is the value. */
export type Judgement =
  | { readonly kind: 'value'; readonly value: number }
  | { readonly kind: 'questions'; readonly questions: readonly string[] };
