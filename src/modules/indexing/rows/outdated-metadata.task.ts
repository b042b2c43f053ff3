import { TaskHandler, type RunningTask } from '#libs/tasks';
import { METADATA_SYNC } from '../../documents/index.js';
import { IntentWork } from './intent-work.service.js';
import { MetadataSync } from './metadata-sync.service.js';

/** Searches work harder until the store knows, so those that have to wait are looked at again soon. */
const PAUSE_SECONDS = 1;

/** Has what the vector store says of documents follow, many documents in one commit of the store. */
@TaskHandler(METADATA_SYNC)
export class OutdatedMetadata implements TaskHandler<object> {
  constructor(
    private readonly work: IntentWork,
    private readonly metadata: MetadataSync,
  ) {}

  async run(task: RunningTask<object>): Promise<void> {
    const { ctx } = task;
    await this.work.run(task, {
      kind: 'update_metadata',
      pauseSeconds: PAUSE_SECONDS,
      carryOut: (intents) => this.metadata.carryOut(ctx, intents),
    });
  }
}
