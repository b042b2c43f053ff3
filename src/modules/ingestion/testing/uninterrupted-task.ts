import { FIRST_PLACE, type ReembeddingTask } from '../../indexing/index.js';

/** A re-embedding without progress reports that never has to let other tasks run. */
export function uninterruptedTask(): ReembeddingTask {
  const nothing = async (): Promise<void> => undefined;
  return { from: FIRST_PLACE, report: nothing, giveWay: nothing };
}
