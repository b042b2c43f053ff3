import { askedColumn, subjectOf, type Asked } from '../asked-column.js';
import { isDenied } from '../clue.js';
import { cluesOf, valueClue } from '../conditions.js';
import { demandsOf } from '../demands.js';
import { draftOf, tokensIn, type Draft } from '../draft.js';
import type { LinkedQuestion } from '../linked-question.js';
import { isKey, isTemporal, type QuestionColumn } from '../question-table.js';
import type { Condition } from '../table-query.js';

const NEXT = /^(?:after|next|following|follows|followed|succeeding|succeeded|subsequent|below)$/;
const PREVIOUS = /^(?:before|previous|prior|preceding|precedes|preceded|above)$/;
const OF_A_ROW = /^(?:next|following|previous|preceding|prior|subsequent)$/;
const OF_THE_LIST = /^(?:list|listed|chart|table|row|rows|sheet|shown|directly|below|above)$/;

/** `who came after …`, `the year before …`, `the next … listed after …`. */
export function readNeighbour(question: LinkedQuestion): Draft | undefined {
  const { tokens, table } = question;
  for (let at = tokens.length - 1; at >= 0; at -= 1) {
    const { text } = tokens[at]!;
    if (!NEXT.test(text) && !PREVIOUS.test(text)) continue;
    const direction = NEXT.test(text) ? 'next' : 'previous';
    const found = anchorBehind(question, at) ?? anchorElsewhere(question, at);
    if (found === undefined) continue;
    const asked = askedOf(question, found.anchor);
    if (asked === undefined) return undefined;
    const by = orderOf(question, found.timed);
    const query = {
      kind: 'neighbour' as const,
      table,
      where: [],
      columns: [asked.column],
      anchor: found.anchor,
      by,
      direction,
    } as const;
    const used = tokens.flatMap((token, index) =>
      OF_A_ROW.test(token.text) ||
      OF_THE_LIST.test(token.text) ||
      NEXT.test(token.text) ||
      PREVIOUS.test(token.text) ||
      isTimeWord(question, index)
        ? [index]
        : [],
    );
    return draftOf(query, 0.93, [asked, ...found.parts], { used });
  }
  return undefined;
}

interface Anchor {
  readonly anchor: readonly Condition[];
  readonly parts: readonly { from: number; to: number; quality: number; assumption: string | undefined }[];
  readonly timed: boolean;
}

/** `after Ada`, `the year after 1969`. */
function anchorBehind(question: LinkedQuestion, at: number): Anchor | undefined {
  const value = question.values.find(({ from }) => from > at && from <= at + 3);
  if (value !== undefined && !isDenied(question, value.from)) {
    const clue = valueClue(question, value, { asked: undefined });
    return { anchor: [clue.condition], parts: [clue], timed: false };
  }
  const year = question.numbers.find(({ isYear, at: place }) => isYear && place > at && place <= at + 2);
  const column = question.table.columns.find(isTemporal);
  const isYearWord = /^(?:year|season|consecutive)$/.test(question.tokens[at - 1]?.text ?? '');
  if (year === undefined || column === undefined || column.type !== 'integer' || !isYearWord) return undefined;
  const condition: Condition = { kind: 'compare', column, op: '=', value: year.value };
  const consecutive = question.tokens.findIndex(({ text }) => text === 'consecutive');
  const parts = [{ from: year.at, to: year.to, quality: 1, assumption: undefined }];
  if (consecutive >= 0) parts.push({ from: consecutive, to: consecutive + 1, quality: 1, assumption: undefined });
  return { anchor: [condition], parts, timed: true };
}

/** `in 1992 Ada won, who won the previous year?` */
function anchorElsewhere(question: LinkedQuestion, at: number): Anchor | undefined {
  if (!OF_A_ROW.test(question.tokens[at]!.text)) return undefined;
  const clues = cluesOf(question, { taken: tokensIn(), asked: undefined });
  if (clues.length === 0) return undefined;
  const parts = clues.map(({ from, to, quality, assumption }) => ({ from, to, quality, assumption }));
  return { anchor: demandsOf(clues), parts, timed: isTimeWord(question, at + 1) };
}

function askedOf(question: LinkedQuestion, anchor: readonly Condition[]): Asked | undefined {
  const named = askedColumn(question);
  if (named !== undefined && named.assumption === undefined) return named;
  // `who came after Ada`: someone of Ada's column.
  const same = anchor.flatMap((condition) =>
    'column' in condition && condition.kind === 'in' ? [condition.column] : [],
  )[0];
  if (same === undefined && named !== undefined) return named;
  const column = same ?? onlyColumn(anchor) ?? subjectOf(question.table);
  const at = question.tokens.findIndex(({ text }) => /^(?:who|which|what|whom)$/.test(text));
  if (column === undefined) return undefined;
  return {
    column,
    from: Math.max(0, at),
    to: at + 1,
    quality: same === undefined ? 0.85 : 0.92,
    assumption: `The answer is taken from “${column.label}”.`,
  };
}

function onlyColumn(anchor: readonly Condition[]): QuestionColumn | undefined {
  return anchor.flatMap((condition) => ('column' in condition ? [condition.column] : []))[0];
}

function orderOf(question: LinkedQuestion, timed: boolean): QuestionColumn | 'row' {
  if (!timed && question.tokens.some(({ text }) => OF_THE_LIST.test(text))) return 'row';
  // Rows of one year among each other have the order of the table alone.
  return (
    question.table.columns.find((column) => isTemporal(column) && (timed || isKey(column, question.table))) ?? 'row'
  );
}

function isTimeWord({ tokens }: LinkedQuestion, at: number): boolean {
  return /^(?:year|years|season|month|day|date|immediately|right|just)$/.test(tokens[at]?.text ?? '');
}
