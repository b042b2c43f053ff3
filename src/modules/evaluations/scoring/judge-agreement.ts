import { meanOf } from './statistics/bootstrap.js';
import type { JudgeRecord, JudgeSpec } from './job-spec.js';

/** How far two runs of a judge agree about one metric. */
export interface JudgeAgreement {
  readonly metric: string;
  /** Answers that at least one run judged. */
  readonly judged: number;
  /** Runs that gave nothing usable. */
  readonly failed_runs: number;
  /** 1 minus the mean difference of both runs; null where no answer has both. */
  readonly agreement: number | null;
}

export interface JudgeFigures extends JudgeSpec {
  readonly metrics: readonly JudgeAgreement[];
}

/** The value of an answer: the mean of the runs that succeeded; null, never 0, where none did. */
export function valueOfRuns(runs: readonly (number | null)[] | undefined): number | null {
  const given = runs?.filter((value) => value !== null) ?? [];
  return given.length === 0 ? null : meanOf(given);
}

export function agreementOf(spec: JudgeSpec, names: readonly string[], records: readonly JudgeRecord[]): JudgeFigures {
  const metrics = names.map((metric) => {
    const all = records.flatMap((record) => (record[metric] === undefined ? [] : [record[metric]]));
    const differences = all.flatMap(([first, second]) =>
      first === null || second === null || first === undefined || second === undefined
        ? []
        : [Math.abs(first - second)],
    );
    return {
      metric,
      judged: all.filter((runs) => valueOfRuns(runs) !== null).length,
      failed_runs: all.flat().filter((value) => value === null).length,
      agreement: differences.length === 0 ? null : 1 - meanOf(differences),
    };
  });
  return { ...spec, metrics };
}
