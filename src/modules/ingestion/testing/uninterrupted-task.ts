import { FIRST_PLACE, type ReembeddingTask } from '../../indexing/index.js';

/** A re-embedding that is told to no one, and that no one waits for. */
export function uninterruptedTask(): ReembeddingTask {
  const nothing = async (): Promise<void> => undefined;
  return { from: FIRST_PLACE, report: nothing, giveWay: nothing };
}
