/**
 * Two built checkouts side by side, each as a running service on a port, a data folder and a database of its own: `ours` is this
 * checkout, `theirs` the one that `--against` names. The client is ours for both, and speaks HTTP alone, so that any version can be on
 * the other side. Both stay up; what alternates, A B B A, is who is asked, and the other one rests meanwhile.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ApiClient } from '../../scripts/lib/api-client.ts';
import { ServiceProcess } from '../../scripts/lib/service-process.ts';
import { cpuTimeOf } from './cpu-time.mjs';
import { isSlower, medianInterval, medianOf, orderOfPair, SLOWER_ABOVE } from './paired-ratios.ts';
import { settingsFromEnvironment } from './settings-from-environment.mjs';

const MAX_BUILD_OUTPUT = 64 * 1024 * 1024;
/** Processor time in a second that a resting service takes at most. */
const AT_REST_CPU_MS = 50;
const MAX_REST_SECONDS = 60;
/** The system counts processor time in such steps: a short round may seem to have taken none. */
const TICK_MS = 10;

/**
 * Starts both with the store and the models that the environment names, prepares each by `prepare(side)`, measures `pairs` rounds of every case and prints the table. A case is
 * `{name, unit, measure(side, pair)}`: `measure` does the same work for the same pair, and resolves to `{figure, count}`, where the
 * figure is smaller the faster the side is, and count the pieces of work that the processor time is divided by. A side is
 * `{name, client, cpuTime(), …what prepare resolved to}`. Resolves to whether ours is slower in any case.
 */
export async function compareCheckouts(against, { pairs, prepare, cases }) {
  const theirsEntry = await builtEntry(resolve(against));
  const services = [];
  try {
    for (const entry of [theirsEntry, undefined]) {
      services.push(await ServiceProcess.start({ entry, settings: settingsFromEnvironment() }));
    }
    const [theirs, ours] = await Promise.all([
      asSide('theirs', services[0], prepare),
      asSide('ours', services[1], prepare),
    ]);
    for (const side of [theirs, ours]) await untilAtRest(side);
    const series = await measurePairs({ theirs, ours }, pairs, cases);
    return report(series, pairs);
  } catch (error) {
    for (const service of services) process.stderr.write(`${service.logTail(15)}\n`);
    throw error;
  } finally {
    for (const service of services) await service.dispose();
  }
}

/** The built `main.js` of another checkout, which is built by its own script when it is not fresh. */
export async function builtEntry(folder) {
  if (!existsSync(join(folder, 'node_modules/.bin/node'))) {
    throw new Error(`${folder} is no checkout with its dependencies. Run "npm ci" there.`);
  }
  const script = join(folder, 'scripts/build-once.mjs');
  await promisify(execFile)(join(folder, 'node_modules/.bin/node'), [script], {
    cwd: folder,
    maxBuffer: MAX_BUILD_OUTPUT,
  });
  return join(folder, 'dist/src/main.js');
}

async function asSide(name, service, prepare) {
  const client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  const roots = await service.rootPids();
  const side = { name, client, cpuTime: () => cpuTimeOf(roots) };
  return { ...side, ...(await prepare(side)) };
}

/** Until what a side does on its own after it was filled (merges, indexes) is over. */
async function untilAtRest({ cpuTime }) {
  for (let second = 0; second < MAX_REST_SECONDS; second += 1) {
    const before = cpuTime();
    await wait(1_000);
    if (cpuTime() - before <= AT_REST_CPU_MS) return;
  }
  process.stderr.write('One side does not come to rest.\n');
}

async function measurePairs(sides, pairs, cases) {
  const series = cases.map(({ name, unit }) => ({
    name,
    figures: [emptyFigures(unit, true), emptyFigures('cpu ms', false)],
  }));
  for (let pair = 0; pair < pairs; pair += 1) {
    for (const [n, { measure }] of cases.entries()) {
      for (const name of orderOfPair(pair)) {
        const side = sides[name];
        const cpuBefore = side.cpuTime();
        const { figure, count } = await measure(side, pair);
        const values = [figure, Math.max(side.cpuTime() - cpuBefore, TICK_MS) / count];
        for (const [at, value] of values.entries()) series[n].figures[at][name].push(value);
      }
    }
    if (process.stderr.isTTY) process.stderr.write(`\r  pair ${pair + 1} of ${pairs} `);
  }
  if (process.stderr.isTTY) process.stderr.write('\n');
  return series;
}

function emptyFigures(unit, isJudged) {
  return { unit, isJudged, theirs: [], ours: [] };
}

/** Prints the table of `{name, figures: [{unit, isJudged, theirs, ours}]}`; returns whether ours is slower in what is judged. */
export function report(series, pairs) {
  const width = Math.max(...series.map(({ name }) => name.length));
  const row = (...cells) => process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
  row(''.padEnd(width), 'figure'.padEnd(9), 'theirs'.padStart(8), 'ours'.padStart(8), ' ratio', '95 % interval');
  let anySlower = false;
  for (const { name, figures } of series) {
    for (const { unit, isJudged, theirs, ours } of figures) {
      const interval = medianInterval(ours.map((value, pair) => value / theirs[pair]));
      const { median, low, high } = interval;
      const slower = isJudged && isSlower(interval);
      anySlower ||= slower;
      row(
        (isJudged ? name : '').padEnd(width),
        unit.padEnd(9),
        ...[theirs, ours].map((values) =>
          medianOf(values.toSorted((a, b) => a - b))
            .toFixed(2)
            .padStart(8),
        ),
        median.toFixed(3).padStart(6),
        `${low.toFixed(3)} to ${high.toFixed(3)}`,
        isJudged ? (slower ? 'SLOWER' : 'no slower') : '',
      );
    }
  }
  process.stdout.write(
    `${pairs} pairs A B B A, medians; ratio: ours by theirs, of each pair; slower: the interval's lower end is above ${SLOWER_ABOVE}\n`,
  );
  return anySlower;
}
