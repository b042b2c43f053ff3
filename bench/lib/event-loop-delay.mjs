/**
 * Loaded into the service by `--import`: measures how late its event loop is. On SIGUSR2 it writes what it saw since the last time, in
 * milliseconds, to the file that EVENT_LOOP_DELAY_FILE names, and begins again; with EVENT_LOOP_PROFILES also a CPU profile into that folder.
 * `active` and `cpu`: how long the loop had something to do, and for how much of that its thread had a core; `gc` and `longestGc`: collections of garbage.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';

const NANOSECONDS = 1e6;
const file = process.env['EVENT_LOOP_DELAY_FILE'];
const profiles = process.env['EVENT_LOOP_PROFILES'];

if (file !== undefined && isMainThread) {
  // Not for its children.
  delete process.env['EVENT_LOOP_DELAY_FILE'];
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  const session = profiles === undefined ? undefined : startProfile();
  let phase = 0;
  let collected = [];
  let began = timesOfLoop();
  new PerformanceObserver((list) => collected.push(...list.getEntries().map(({ duration }) => duration))).observe({
    entryTypes: ['gc'],
  });
  histogram.enable();
  process.on('SIGUSR2', () => {
    const ms = (value) => value / NANOSECONDS;
    const now = timesOfLoop();
    const seen = {
      max: ms(histogram.max),
      p99: ms(histogram.percentile(99)),
      mean: ms(histogram.mean),
      active: now.active - began.active,
      cpu: now.cpu - began.cpu,
      gc: collected.reduce((sum, each) => sum + each, 0),
      longestGc: Math.max(0, ...collected),
    };
    collected = [];
    began = now;
    histogram.reset();
    if (session !== undefined) keepProfile(session, (phase += 1));
    writeFileSync(`${file}.new`, JSON.stringify(seen));
    renameSync(`${file}.new`, file);
  });
}

/** Milliseconds since the start. */
function timesOfLoop() {
  const { user, system } = process.threadCpuUsage();
  return { active: performance.eventLoopUtilization().active, cpu: (user + system) / 1_000 };
}

function startProfile() {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.start');
  return session;
}

function keepProfile(session, phase) {
  session.post('Profiler.stop', (_, { profile }) => {
    writeFileSync(join(profiles, `phase-${phase}.cpuprofile`), JSON.stringify(profile));
    session.post('Profiler.start');
  });
}
