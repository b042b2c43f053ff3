import type { Tier } from './tier-file.ts';

/** A tier is ended after this many times its budget. */
export const LIMIT = 2;

/** How a tier's command ended. */
export interface TierRun {
  /** Undefined when a signal ended it. */
  readonly code: number | undefined;
  /** Whether its time was over. */
  readonly isEnded: boolean;
  readonly seconds: number;
}

/** What Vitest's report says; undefined when there is none. */
export type TestCounts = { readonly passed: number; readonly failed: number; readonly skipped: number } | undefined;

/** What is wrong besides failed tests. */
export function findProblems(tier: Pick<Tier, 'kind' | 'minutes'>, run: TierRun, counts: TestCounts): string[] {
  const { kind, minutes } = tier;
  const { code, isEnded, seconds } = run;
  const problems: string[] = [];
  if (isEnded) problems.push(`was ended after ${LIMIT * minutes} minutes`);
  else if (seconds > 60 * minutes) problems.push(`took ${seconds} s, its budget is ${60 * minutes} s`);
  if (kind === 'exit') return !isEnded && code !== 0 ? [...problems, `exit code ${code ?? 'none'}`] : problems;
  if (counts === undefined) return [...problems, 'left no report'];
  if (code !== 0 && !isEnded && counts.failed === 0) problems.push('failed outside its tests');
  if (kind === 'all-tests' && counts.skipped > 0) problems.push(`${counts.skipped} tests did not run`);
  if (counts.passed === 0) problems.push('ran nothing');
  return problems;
}
