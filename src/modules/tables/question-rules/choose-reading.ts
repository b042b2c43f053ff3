import { LEAST_CONFIDENCE, type Reading } from './read-question.js';

/** A reading, and the rows that it is about: tables that share rows are no rivals. */
export interface RivalReading {
  readonly reading: Reading;
  readonly rows: readonly unknown[];
}

/** The choice among the readings of several tables. */
export interface ChosenReading {
  readonly reading: Reading;
  /** Names of tables that fit as well, the chosen one first; empty where the question tells which one is meant. */
  readonly ambiguous: readonly string[];
}

/** Readings that are as near as this in confidence cannot be told apart by it. */
const CLOSE = 0.05;
/** So much of a word more in one table than in another tells them apart. */
const TELLING = 0.4;
const WITH_RIVAL = 0.9;
const MOST_NAMED = 5;

/**
 * The best of the readings of several tables. Among readings of about the same confidence, the one wins whose table has more words of the
 * question. Where no table has more, or none has any, it is undecided which table is meant.
 * @param tables How many tables there are, those without a reading included.
 */
export function chooseReading(readings: readonly RivalReading[], tables: number): ChosenReading | undefined {
  const sorted = readings.toSorted((a, b) => b.reading.confidence - a.reading.confidence);
  const top = sorted[0]?.reading.confidence;
  if (top === undefined) return undefined;
  const near = sorted.filter(({ reading }) => top - reading.confidence < CLOSE);
  const best = near.toSorted((a, b) => b.reading.anchors - a.reading.anchors)[0]!;
  const rivals = sorted.filter(
    ({ reading, rows }) => reading.confidence >= LEAST_CONFIDENCE && !rows.some((each) => best.rows.includes(each)),
  );
  const equals = rivals.filter((rival) => near.includes(rival) && isAsTelling(rival.reading, best.reading));
  if (best.reading.confidence < LEAST_CONFIDENCE) return { reading: best.reading, ambiguous: [] };
  if (equals.length > 0 || (best.reading.anchors === 0 && best.rows.length < tables)) {
    const names = [best, ...equals].map(({ reading }) => reading.table);
    return { reading: best.reading, ambiguous: [...new Set(names)].slice(0, MOST_NAMED) };
  }
  return { reading: withRival(best.reading, rivals[0], top), ambiguous: [] };
}

function isAsTelling(one: Reading, other: Reading): boolean {
  return Math.abs(one.anchors - other.anchors) < TELLING;
}

function withRival(best: Reading, rival: RivalReading | undefined, top: number): Reading {
  if (rival === undefined) return best;
  const assumption = `The table “${best.table}” is meant, not “${rival.reading.table}”.`;
  const isClose = top - rival.reading.confidence < CLOSE;
  const confidence = isClose ? Math.round(best.confidence * WITH_RIVAL * 100) / 100 : best.confidence;
  return { ...best, confidence, assumptions: [...best.assumptions, assumption] };
}
