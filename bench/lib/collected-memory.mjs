/**
 * Loaded into a service by `--import`: on SIGUSR2 it collects all garbage and writes what is left, `{heap, external, resident}` in bytes, to
 * the file that COLLECTED_MEMORY_FILE names.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const path = process.env.COLLECTED_MEMORY_FILE;
if (path !== undefined && isMainThread) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  process.on('SIGUSR2', () => {
    collect();
    collect();
    const { heapUsed, external, rss } = process.memoryUsage();
    writeFileSync(`${path}.new`, JSON.stringify({ heap: heapUsed, external, resident: rss }));
    renameSync(`${path}.new`, path);
  });
}
