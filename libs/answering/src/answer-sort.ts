/** What a question asks for more narrowly than `AnswerKind`: a sentence without it does not answer. */
export type AnswerSort =
  | 'phone'
  | 'mail'
  | 'clock'
  | 'age'
  | 'price'
  | 'duration'
  | 'weight'
  | 'length'
  | 'temperature'
  | 'year'
  | 'day'
  | 'percent'
  | 'amount'
  | 'count'
  | 'time'
  | 'reason'
  | 'any';

/** A sort of thing: the questions that ask for it, and the texts that hold it. */
export interface SortRule {
  readonly sort: AnswerSort;
  readonly asks: RegExp;
  readonly holds: RegExp;
}
