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

/** What is wrong besides failed tests. More time than the budget is said beside the figure and is no failure: machines of one kind differ by more. */
export function findProblems(tier: Pick<Tier, 'kind' | 'minutes'>, run: TierRun, counts: TestCounts): string[] {
  const { kind, minutes } = tier;
  const { code, isEnded } = run;
  const problems: string[] = [];
  if (isEnded) problems.push(`was ended after ${LIMIT * minutes} minutes`);
  if (kind === 'exit') return !isEnded && code !== 0 ? [...problems, `exit code ${code ?? 'none'}`] : problems;
  if (counts === undefined) return [...problems, 'left no report'];
  if (code !== 0 && !isEnded && counts.failed === 0) problems.push('failed outside its tests');
  if (kind === 'all-tests' && counts.skipped > 0) problems.push(`${counts.skipped} tests did not run`);
  if (counts.passed === 0) problems.push('ran nothing');
  return problems;
}

/** Why a tier does not run any more, this many minutes after the run's beginning; undefined: it runs. */
export function whyTooLate({ startsWithin }: Pick<Tier, 'startsWithin'>, minutes: number): string | undefined {
  if (startsWithin === undefined || minutes <= startsWithin) return undefined;
  return `this machine is slow: ${Math.round(minutes)} minutes are over, it starts within ${startsWithin}`;
}
