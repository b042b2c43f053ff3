/** Measures one case of `bench/growth.mjs` in a thread of its own, which its owner can end: the processor time of its steps. */
import { parentPort, workerData } from 'node:worker_threads';
import { CASES } from './growth-cases.mjs';

const RUNS = 3;

const one = CASES.find(({ name }) => name === workerData);
const cpuUsage = one.wholeProcess ? process.cpuUsage : process.threadCpuUsage;
// The first runs are slower than all that follow.
await runOnce(Math.ceil(one.bound / 8));
await runOnce(Math.ceil(one.bound / 4));
for (const size of [Math.floor(one.bound / 2), one.bound]) {
  const runs = [];
  for (let time = 0; time < RUNS; time += 1) runs.push(await runOnce(size));
  // The least: nothing makes a run faster than it is.
  const least = one.steps.map((_step, index) => Math.min(...runs.map(({ steps }) => steps[index] ?? 0)));
  parentPort.postMessage({ size, steps: least, error: runs[0].error });
}

/** Milliseconds of each step. A step may refuse its input, which ends the run. */
async function runOnce(size) {
  const prepared = await one.prepare(size);
  const steps = [];
  try {
    let given = prepared;
    for (const [, step] of one.steps) {
      const before = cpuUsage();
      try {
        given = await step(given);
      } finally {
        const { user, system } = cpuUsage(before);
        steps.push((user + system) / 1000);
      }
    }
    return { steps };
  } catch (error) {
    if (error.code === undefined && error.name !== 'MalformedMultipart' && error.name !== 'TooManyParts') throw error;
    return { steps, error: error.code ?? error.name };
  } finally {
    await one.after?.(prepared);
  }
}
