/**
 * Loaded into the service by `--import`: measures how late its event loop is. On SIGUSR2 it writes what it saw since the last time, in
 * milliseconds, to the file that EVENT_LOOP_DELAY_FILE names, and begins anew; with EVENT_LOOP_PROFILES also a CPU profile into that folder.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const NANOSECONDS = 1e6;
const file = process.env['EVENT_LOOP_DELAY_FILE'];
const profiles = process.env['EVENT_LOOP_PROFILES'];

if (file !== undefined && isMainThread) {
  // Not for its children.
  delete process.env['EVENT_LOOP_DELAY_FILE'];
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  const session = profiles === undefined ? undefined : startProfile();
  let phase = 0;
  histogram.enable();
  process.on('SIGUSR2', () => {
    const ms = (value) => value / NANOSECONDS;
    const seen = { max: ms(histogram.max), p99: ms(histogram.percentile(99)), mean: ms(histogram.mean) };
    histogram.reset();
    if (session !== undefined) keepProfile(session, (phase += 1));
    writeFileSync(`${file}.new`, JSON.stringify(seen));
    renameSync(`${file}.new`, file);
  });
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
