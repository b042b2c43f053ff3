import type { JsonObject } from '#libs/common';
import { Settings } from '#libs/config';
import { Metrics } from '#libs/metrics';
import { defineTask, withoutPayload } from './task-definition.js';
import { TaskHandler, type RunningTask } from './task-handler.js';
import { TasksRepository } from './tasks.repository.js';

const BATCH = 1_000;
const HOUR_SECONDS = 3_600;

/** Hourly: removes tasks that ended more than TASKS_KEPT_DAYS days ago. */
export const FINISHED_TASKS = defineTask({
  kind: 'retention_of_tasks',
  longestUnit: 'one round over the installation, for no tenant',
  parse: withoutPayload,
  every: () => HOUR_SECONDS,
});

/** Forgets tasks that ended long ago, batch by batch. */
@TaskHandler(FINISHED_TASKS)
export class FinishedTasks implements TaskHandler<object> {
  constructor(
    private readonly tasks: TasksRepository,
    private readonly settings: Settings,
    private readonly metrics: Metrics,
  ) {}

  async run(task: RunningTask<object>): Promise<JsonObject> {
    let removed = 0;
    for (let batch = BATCH; batch === BATCH;) {
      batch = await this.tasks.forgetEnded(this.settings.values.tasksKeptDays, BATCH);
      removed += batch;
      this.metrics.countExpired('tasks', batch);
      await task.report({ removed });
    }
    return { removed };
  }
}
