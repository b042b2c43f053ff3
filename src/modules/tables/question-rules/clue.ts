import { wordsOf, type LinkedQuestion } from './linked-question.js';
import type { QuestionColumn } from './question-table.js';
import type { Condition } from './table-query.js';

/** A demand that words of the question make. */
export interface Clue {
  readonly from: number;
  readonly to: number;
  readonly condition: Condition;
  /** Up to 1. */
  readonly quality: number;
  readonly assumption: string | undefined;
  /** The column that the words name, where they name it. */
  readonly mention: { readonly from: number; readonly to: number } | undefined;
  /** Further words that belong to it. */
  readonly further?: readonly { readonly from: number; readonly to: number }[];
}

export interface ClueRules {
  /** Tokens with another meaning. */
  readonly taken: ReadonlySet<number>;
  /** The column that is asked for. */
  readonly asked: QuestionColumn | undefined;
}

const NEGATION =
  /\b(?:not|non|never|no|without|except|excluding|besides|outside|neither|nor|other than|apart from|(?:do|does|did|is|are|was|were|have|has|had|wo|ca|could|would)nt)\b/;

/** Tokens that deny what is at a place. */
export function denials(
  { tokens }: LinkedQuestion,
  from: number,
  isNegated: boolean,
): { from: number; to: number } | undefined {
  if (!isNegated) return undefined;
  for (let at = from - 1; at >= Math.max(0, from - 5); at -= 1) {
    const pair = `${tokens[at]!.text} ${tokens[at + 1]?.text}`;
    if (/^(?:other than|apart from)$/.test(pair)) return { from: at, to: at + 2 };
    if (NEGATION.test(tokens[at]!.text)) return { from: at, to: at + 1 };
  }
  return undefined;
}

/** Whether words between the last link before a place and that place deny what follows. */
export function isDenied(question: LinkedQuestion, from: number): boolean {
  const before = [
    ...question.values,
    ...question.numbers,
    ...question.dates,
    ...question.columns.filter(({ score }) => score > 0.9),
  ];
  const last = Math.max(0, from - 5, ...before.filter(({ to }) => to <= from).map(({ to }) => to));
  const near = wordsOf(question, last, from).replace(/\b(?:not|no) (?:more|less|fewer|later|earlier)\b/g, ' ');
  return NEGATION.test(near) || /\b(?:not|nt) (?:in|by|from|at|for|on)$/.test(wordsOf(question, from - 3, from));
}

const JOINED = /^(?:(?:and|or|a|an|the|of|with|both) ?)*$/;

/** `a bath for a small dog` where both are items: no row is of one for the other. */
export function isOfTwo(question: LinkedQuestion, named: readonly Clue[]): boolean {
  return named.some((one, index) =>
    named.slice(index + 1).some((other) => {
      const [first, second] = [one.condition, other.condition];
      const isSame = 'column' in first && 'column' in second && first.column.name === second.column.name;
      return isSame && !JOINED.test(wordsOf(question, one.to, other.from));
    }),
  );
}
