import { Injectable } from '@nestjs/common';
import { newId } from '#libs/common';
import type { LostTask } from '#libs/tasks';
import { systemContext, AttemptTraces } from '../../documents/index.js';

/** Sets the waiting reason `worker_lost` of documents whose worker died. */
@Injectable()
export class LostDocuments {
  constructor(private readonly traces: AttemptTraces) {}

  /** Documents that another worker has taken meanwhile are left alone. */
  async note(lost: readonly LostTask[]): Promise<void> {
    for (const [tenantId, tasks] of Map.groupBy(lost, (task) => task.tenantId)) {
      await this.traces.noteLost(systemContext(tenantId, newId()), tasks);
    }
  }
}
