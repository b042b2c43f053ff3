import type { DatasetId } from '#libs/common';
import { TaskHandler, type RunningTask } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { GENERATION_REMOVAL, StoreIntents, type StoreIntent } from '../../documents/index.js';
import { GenerationCleaner } from './generation-cleaner.service.js';
import type { UnwantedGeneration } from './generation-states.repository.js';
import { IntentWork } from '../rows/intent-work.service.js';

/** No one waits for a removal. */
const PAUSE_SECONDS = 10;
/** While an attempt writes the generation. */
const WRITTEN_SECONDS = 10;

/** Removes generations that are neither shown nor being written, those of a dataset in one commit of the store. */
@TaskHandler(GENERATION_REMOVAL)
export class UnwantedGenerations implements TaskHandler<object> {
  constructor(
    private readonly work: IntentWork,
    private readonly intents: StoreIntents,
    private readonly generations: GenerationCleaner,
  ) {}

  async run(task: RunningTask<object>): Promise<void> {
    const carryOut = async (intents: readonly StoreIntent[]): Promise<void> => {
      for (const [datasetId, own] of byDataset(intents)) {
        task.signal.throwIfAborted();
        await this.work.attempt(own, () => this.remove(task.ctx, datasetId, own));
      }
    };
    await this.work.run(task, { kind: 'remove_generation', pauseSeconds: PAUSE_SECONDS, carryOut });
  }

  private async remove(ctx: RequestContext, datasetId: DatasetId, intents: readonly StoreIntent[]): Promise<void> {
    const targets = intents.map((intent) => intent.payload as unknown as UnwantedGeneration);
    const written = await this.generations.remove(ctx, datasetId, targets);
    const isWritten = (_: StoreIntent, n: number): boolean => written.has(targets[n]!);
    await this.intents.settle(intents.filter((intent, n) => !isWritten(intent, n)));
    await this.intents.postpone(intents.filter(isWritten), WRITTEN_SECONDS);
  }
}

function byDataset(intents: readonly StoreIntent[]): Map<DatasetId, StoreIntent[]> {
  return Map.groupBy(intents, ({ payload }) => payload['datasetId'] as DatasetId);
}
