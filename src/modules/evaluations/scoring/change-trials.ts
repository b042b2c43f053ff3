import type { JsonObject } from '#libs/common';
import type { RunningTask } from '#libs/tasks';

/** Effect of a change on the cases on which it was tried. */
export interface TrialCounts {
  readonly mends: number;
  readonly breaks: number;
}

/** Part of a task that the trials need. */
export type TrialTask = Pick<RunningTask<object>, 'progress' | 'giveWay'>;

/** Trials of changes, each a unit of work, whose results are stored in the progress of the task when it gives way. */
export class ChangeTrials {
  private readonly known: Record<string, TrialCounts>;

  constructor(private readonly task: TrialTask) {
    this.known = { ...(task.progress['trials'] as Record<string, TrialCounts> | undefined) };
  }

  /** What the trial found, which is made where no earlier turn did. */
  async result(key: string, make: () => Promise<TrialCounts>): Promise<TrialCounts> {
    const known = this.known[key];
    if (known !== undefined) return known;
    const made = await make();
    this.known[key] = made;
    await this.task.giveWay({ trials: { ...this.known } } as unknown as JsonObject);
    return made;
  }
}
