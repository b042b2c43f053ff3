import { FileRemovals } from '#libs/database';
import { ObjectStorage, parseObjectKey } from '#libs/object-storage';
import { TaskHandler, type RunningTask } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { FILE_REMOVAL, StoreIntents, type StoreIntent } from '../../documents/index.js';
import { FileOwners } from './file-owners.repository.js';
import { IntentWork } from '../rows/intent-work.service.js';

/** No one waits for a removal. */
const PAUSE_SECONDS = 10;
/** Until it is looked again whether the backup that keeps files has ended. */
const BACKUP_SECONDS = 30;

/** Removes stored files that have found no document, or that their document has replaced. */
@TaskHandler(FILE_REMOVAL)
export class UnownedFiles implements TaskHandler<object> {
  constructor(
    private readonly owners: FileOwners,
    private readonly work: IntentWork,
    private readonly intents: StoreIntents,
    private readonly storage: ObjectStorage,
    private readonly removals: FileRemovals,
  ) {}

  async run(task: RunningTask<object>): Promise<void> {
    const carryOut = (intents: readonly StoreIntent[]): Promise<void> => this.removeAll(task, intents);
    await this.work.run(task, { kind: 'remove_blob', pauseSeconds: PAUSE_SECONDS, carryOut });
  }

  /** Files stay while a backup runs. */
  private async removeAll({ ctx, signal }: RunningTask<object>, intents: readonly StoreIntent[]): Promise<void> {
    const done = await this.removals.tryRun(async () => {
      for (const intent of intents) {
        signal.throwIfAborted();
        await this.work.attempt([intent], () => this.remove(ctx, intent));
      }
    });
    if (!done) await this.intents.postpone(intents, BACKUP_SECONDS);
  }

  private async remove(ctx: RequestContext, intent: StoreIntent): Promise<void> {
    if (!(await this.owners.hasOwner(ctx, intent.subject))) await this.storage.delete(parseObjectKey(intent.subject));
    await this.intents.settle([intent]);
  }
}
