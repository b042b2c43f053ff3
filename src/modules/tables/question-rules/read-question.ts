import { confidenceOf, type Draft } from './draft.js';
import { explainQuery } from './explain-query.js';
import { joinWords, withoutHours } from './header-phrases.js';
import { linkQuestion, type LinkedQuestion } from './linked-question.js';
import type { FoundValue, QuestionTable } from './question-table.js';
import { readChoice, readDifference } from './readings/comparisons.js';
import { readOrder } from './readings/orders.js';
import { readMeasure } from './readings/measures.js';
import { readNeighbour } from './readings/neighbours.js';
import { readPrice } from './readings/prices.js';
import { readShift } from './readings/shifts.js';
import { readCosts, readSpent } from './readings/spendings.js';
import { readLookup, readSuperlative } from './readings/rows.js';
import { readExists, readVerdict } from './readings/verdicts.js';
import { openWords } from './open-words.js';
import { placeSource } from './place-source.js';
import { placeChosen } from './rosters/place-chosen.js';
import { anchorsOf, unclearColumns, type UnclearColumn } from './question-anchors.js';
import { isTakenForRows } from './row-kinds.js';
import type { TableQuery } from './table-query.js';
import { isFiller } from './words.js';
import { writeStatement } from './write-statement.js';

/** A reading of a question. */
export interface Reading {
  readonly table: string;
  readonly query: TableQuery;
  readonly kind: TableQuery['kind'];
  readonly sql: string;
  readonly explanation: string;
  readonly assumptions: readonly string[];
  /** From 0 to 1. */
  readonly confidence: number;
  /** Demands that words of cells make. */
  readonly wordConditions: number;
  /** How many words of the question the table has: in headers, cells or its name. */
  readonly anchors: number;
  /** Words of the question that the statement does not account for. */
  readonly unexplained: readonly string[];
  /** Those of them that may restrict rows: a reading that has any is no answer, however sure the rest of it is. */
  readonly open: readonly string[];
}

/** Confidence below which a reading is not an answer. Chosen on development tables and confirmed on held-out ones. */
export const LEAST_CONFIDENCE = 0.6;
/** A reading that leaves a condition out is not as sure as an answer has to be. */
const WITH_OPEN_WORDS = 0.5;
/** A mention that fits several columns equally. */
const UNCLEAR = 0.85;

/** Forms of readings, in the order in which they win at equal confidence. */
const READINGS: readonly ((question: LinkedQuestion) => Draft | undefined)[] = [
  readVerdict,
  readDifference,
  readChoice,
  readNeighbour,
  readOrder,
  readSuperlative,
  readMeasure,
  readLookup,
  readShift,
  readPrice,
  readSpent,
  readCosts,
  readExists,
];

/** The best reading of a question over one table, with any confidence; undefined when there is none. */
export function readQuestion(
  question: string,
  table: QuestionTable,
  found: readonly FoundValue[],
): Reading | undefined {
  const linked = linkQuestion(joinWords(withoutHours(question, table, found), table), table, found);
  const drafts = READINGS.flatMap((read) => read(linked) ?? []).flatMap(
    (draft) => placeSource(linked, placeChosen(linked, draft)) ?? [],
  );
  const judged = drafts.map((draft) => {
    const open = openWords(linked, draft);
    const { confidence, unexplained } = confidenceOf(linked, draft);
    return { draft, open, unexplained, confidence: open.length > 0 ? confidence * WITH_OPEN_WORDS : confidence };
  });
  const best = judged.toSorted((a, b) => b.confidence - a.confidence)[0];
  if (best === undefined) return undefined;
  const { query, assumptions } = best.draft;
  const unclear = unclearColumns(linked, query);
  return {
    table: table.name,
    query,
    kind: query.kind,
    sql: writeStatement(query),
    explanation: explainQuery(query),
    assumptions: [
      ...assumptions,
      ...unclear.map(toAssumption),
      ...takenForRows(linked),
      ...(table.hasTotals ? ['Rows that sum up others are left out.'] : []),
    ],
    confidence: Math.round(best.confidence * UNCLEAR ** unclear.length * 100) / 100,
    anchors: anchorsOf(linked),
    wordConditions: query.where.filter(({ kind }) => kind === 'in' || kind === 'has_text').length,
    unexplained: best.unexplained,
    open: best.open,
  };
}

/** Words that name the rows, as far as the headers show it. */
function takenForRows({ tokens, columns, values, table }: LinkedQuestion): string[] {
  const taken = tokens.filter(
    ({ text, stem }, at) =>
      !isFiller(text) &&
      isTakenForRows(stem, table) &&
      ![...columns, ...values].some(({ from, to }) => from <= at && at < to),
  );
  return [...new Set(taken.map(({ text }) => `“${text}” is taken for the rows of “${table.name}”.`))];
}

function toAssumption({ text, chosen, others }: UnclearColumn): string {
  const named = others.map(({ label }) => `“${label}”`).join(', ');
  return `“${text}” means “${chosen.label}”, though ${named} ${others.length === 1 ? 'fits' : 'fit'} as well.`;
}
