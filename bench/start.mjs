/**
 * What a start takes, and what the service holds while nobody asks it anything:
 *
 *   npm run bench:start -- [--starts 10] [--settle 3] [--against DIR]
 *
 * Each round starts the built service on an empty folder, stops it, starts it again on what the first start has made, and looks at the
 * memory of all its processes after `--settle` seconds without work, shared pages counted once. With `--against` another checkout takes
 * turns with this one, and the exit code is 1 when this one is slower or holds more.
 */
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { memoryOf } from '../scripts/lib/process-memory.ts';
import { ServiceProcess } from '../scripts/lib/service-process.ts';
import { medianOf, MIN_PAIRS, orderOfPair } from './lib/paired-ratios.ts';
import { settingsFromEnvironment } from './lib/settings-from-environment.mjs';
import { builtEntry, report } from './lib/two-checkouts.mjs';

const MEGABYTE = 1024 * 1024;
const FIGURES = [
  { name: 'first start, the database is made', unit: 'ms' },
  { name: 'second start', unit: 'ms' },
  { name: 'memory without work', unit: 'MB' },
];

const { values: options } = parseArgs({
  options: {
    starts: { type: 'string', default: String(MIN_PAIRS) },
    settle: { type: 'string', default: '3' },
    against: { type: 'string' },
  },
});
const starts = Number(options.starts);
const settleMs = Number(options.settle) * 1000;
if (options.against === undefined) await benchAlone();
else if (await compare(await builtEntry(resolve(options.against)))) process.exitCode = 1;

async function benchAlone() {
  const rounds = [];
  for (let round = 0; round < starts; round += 1) rounds.push(await measure());
  for (const [n, { name, unit }] of FIGURES.entries()) {
    const median = medianOf(rounds.map((figures) => figures[n]).toSorted((a, b) => a - b));
    process.stdout.write(`${name.padEnd(34)} ${median.toFixed(0)} ${unit}\n`);
  }
}

async function compare(theirsEntry) {
  const series = FIGURES.map(({ name, unit }) => ({
    name,
    figures: [{ unit, isJudged: true, theirs: [], ours: [] }],
  }));
  for (let pair = 0; pair < starts; pair += 1) {
    for (const side of orderOfPair(pair)) {
      const figures = await measure(side === 'theirs' ? theirsEntry : undefined);
      for (const [n, figure] of figures.entries()) series[n].figures[0][side].push(figure);
    }
  }
  return report(series, starts);
}

/** The figures of one round, in the order of `FIGURES`. */
async function measure(entry) {
  const began = performance.now();
  const service = await ServiceProcess.start({ entry, settings: settingsFromEnvironment() });
  try {
    const first = performance.now() - began;
    await service.stop();
    const again = performance.now();
    await service.start();
    const second = performance.now() - again;
    await wait(settleMs);
    const { proportional } = await memoryOf(await service.rootPids());
    return [first, second, proportional / MEGABYTE];
  } finally {
    await service.dispose();
  }
}
