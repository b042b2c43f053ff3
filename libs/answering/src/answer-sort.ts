/** What a question asks for more narrowly than `AnswerKind`: a sentence without it does not answer. */
export type AnswerSort =
  | 'phone'
  | 'mail'
  | 'contact'
  | 'clock'
  | 'age'
  | 'price'
  | 'moment'
  | 'duration'
  | 'extent'
  | 'weight'
  | 'length'
  | 'temperature'
  | 'year'
  | 'day'
  | 'percent'
  | 'amount'
  | 'count'
  | 'time'
  | 'place'
  | 'code'
  | 'reason'
  | 'any';

/** A sort of thing and the texts that hold it. */
export interface SortRule {
  readonly sort: AnswerSort;
  readonly holds: RegExp;
}
