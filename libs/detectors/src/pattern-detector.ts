import type { Detector, Match, Severity } from './finding.js';

/** A place that a pattern found. */
export interface Candidate {
  readonly text: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** One way of writing a value. */
export interface WrittenForm {
  readonly rule: string;
  /** Global; every quantifier bounded, so that no place of the text is looked at more often than that. */
  readonly pattern: RegExp;
  /** 0: not this after all. */
  readonly score: (candidate: Candidate) => number;
}

/** A detector whose values are found by patterns and judged one by one. */
export function patternDetector(
  { severity, isNumber = false }: { readonly severity: Severity; readonly isNumber?: boolean },
  ...forms: readonly WrittenForm[]
): Detector {
  return { severity, isNumber, find: (text) => forms.flatMap((form) => matchesOf(text, form)) };
}

function matchesOf(text: string, { rule, pattern, score }: WrittenForm): Match[] {
  const matches: Match[] = [];
  for (const found of text.matchAll(pattern)) {
    const value = found[0];
    const start = found.index;
    const end = start + value.length;
    const certainty = score({ text, value, start, end });
    if (certainty > 0) matches.push({ rule, start, end, score: certainty });
  }
  return matches;
}
