import { DETECTORS } from './detector-table.js';
import { ENTITY_TYPES, type EntityType, type Finding } from './finding.js';

export interface DetectOptions {
  /** What to look for; all types when left out. */
  readonly types?: Iterable<EntityType>;
  /** Findings that are less certain are left out; 0.5 when left out. */
  readonly minScore?: number;
}

export const DEFAULT_MIN_SCORE = 0.5;

/**
 * Finds sensitive content. Findings are ordered by place; they may overlap, except that a number is of one type alone: the most
 * certain, of equals the longest. A finding never holds the value. Time grows with the length of the text and with nothing else of it.
 */
export function detect(
  text: string,
  { types = ENTITY_TYPES, minScore = DEFAULT_MIN_SCORE }: DetectOptions = {},
): Finding[] {
  const found = [...new Set(types)].flatMap((entityType) => {
    const { severity, find } = DETECTORS[entityType];
    return find(text)
      .filter(({ score }) => score >= minScore)
      .map((match): Finding => ({ ...match, entityType, severity }));
  });
  const isNumber = ({ entityType }: Finding): boolean => DETECTORS[entityType].isNumber;
  const numbers = oneTypeEach(found.filter(isNumber));
  return [...found.filter((finding) => !isNumber(finding)), ...numbers].toSorted(byPlace);
}

function byPlace(left: Finding, right: Finding): number {
  return (
    left.start - right.start ||
    right.end - left.end ||
    ENTITY_TYPES.indexOf(left.entityType) - ENTITY_TYPES.indexOf(right.entityType)
  );
}

function isBetter(left: Finding, right: Finding): boolean {
  return left.score === right.score ? left.end - left.start > right.end - right.start : left.score > right.score;
}

/** Of findings that overlap, the best; in one pass, as the last one kept is the only one that the next may overlap. */
function oneTypeEach(findings: readonly Finding[]): Finding[] {
  const kept: Finding[] = [];
  for (const finding of findings.toSorted(byPlace)) {
    const last = kept.at(-1);
    if (last === undefined || last.end <= finding.start) kept.push(finding);
    else if (isBetter(finding, last)) kept[kept.length - 1] = finding;
  }
  return kept;
}
