/**
 * What costs more than twice as much when it is given twice as much:
 *
 *   npm run bench:growth -- [--only TEXT] [--max-ratio 2.5] [--json FILE]
 *
 * Gives the built product inputs that are known to make such programs slow, each at its bound and at half of it: texts of every
 * format that is parsed here, forms, policies, filters, metadata, tags, archives, questions and passwords. Counts the processor
 * time of the thread that works, the least of three runs, and prints the ratio of both. A step below 20 ms is not judged: the clock
 * and the collector of garbage decide there. The exit code is 1 when a ratio is above `--max-ratio`, or a case comes to no end.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { CASES } from './lib/growth-cases.mjs';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    'max-ratio': { type: 'string', default: '2.5' },
    json: { type: 'string' },
  },
});
const MOST_RATIO = Number(options['max-ratio']);
const LEAST_MS = 20;
const SECONDS = 60;
const HEAP_MEGABYTES = 1_000;

const results = [];
for (const one of CASES.filter(({ name }) => name.includes(options.only))) {
  const { rows, reason } = await measureTwice(one);
  const steps = one.steps.map(([step], index) => growthOf(step, rows[0]?.steps[index], rows[1]?.steps[index]));
  const isTooFast = reason !== undefined || steps.some(({ over }) => over);
  results.push({ name: one.name, bound: one.bound, steps, error: rows[1]?.error ?? reason, isTooFast });
  const shown = steps.filter(({ full }) => full !== undefined).map(lineOf);
  process.stdout.write(
    `${one.name.padEnd(38)} ${shown.join('  ')}  ${results.at(-1).error ?? ''}${isTooFast ? '  TOO FAST' : ''}\n`,
  );
}
const misses = results.filter(({ isTooFast }) => isTooFast);
process.stdout.write(`\n${results.length} cases, ${misses.length} that grow faster than their input\n`);
for (const { name } of misses) process.stdout.write(`  ${name}\n`);
if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(results, null, 2)}\n`);
if (misses.length > 0) process.exitCode = 1;

/** A case that seems to grow too fast is measured once more: the machine may have been busy at its bound alone. */
async function measureTwice(one) {
  const first = await measure(one);
  const isFine = one.steps.every(
    ([step], at) => !growthOf(step, first.rows[0]?.steps[at], first.rows[1]?.steps[at]).over,
  );
  if (isFine || first.reason !== undefined) return first;
  const { rows, reason } = await measure(one);
  if (reason !== undefined) return first;
  return {
    rows: rows.map((row, n) => ({ ...row, steps: row.steps.map((ms, at) => Math.min(ms, first.rows[n].steps[at])) })),
  };
}

/** What a thread found at half and at the bound, and why it found no more. */
function measure({ name }) {
  const worker = new Worker(new URL('./lib/growth-worker.mjs', import.meta.url), {
    workerData: name,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
  });
  const rows = [];
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ rows, reason: `no end within ${SECONDS} s` }), SECONDS * 1000);
    worker.on('message', (row) => rows.push(row));
    worker.once('error', (error) => resolve({ rows, reason: error.message }));
    worker.once('exit', () => {
      clearTimeout(timer);
      resolve({ rows });
    });
  }).finally(() => void worker.terminate());
}

function growthOf(step, half, full) {
  const ratio = half === undefined || full === undefined ? undefined : full / half;
  return { step, half, full, ratio, over: full > LEAST_MS && ratio > MOST_RATIO };
}

function lineOf({ step, half, full, ratio, over }) {
  return `${step} ${half.toFixed(1)} → ${full.toFixed(1)} ms (${ratio.toFixed(2)}${over ? '!' : ''})`;
}
