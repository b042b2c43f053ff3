/**
 * `npm run drill:rolling -- [restarts]` (10): two processes behind a real nginx, restarted in turns by SIGTERM while searches, uploads and streams go
 * on. Needs Node 24 and nginx. Exit code 0 only when not one request has failed.
 */
import '../crash/support/typescript-hooks.mjs';

const { buildOnce } = await import('../../scripts/build-once.mjs');
// The support files import what is built.
await buildOnce();
const { RollingDrill } = await import('./support/rolling-drill.ts');

const restarts = Number(process.argv[2] ?? 10);
const began = Date.now();
const print = (line) => process.stdout.write(`${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s  ${line}\n`);

const drill = await RollingDrill.begin(print);
try {
  const load = drill.load();
  for (let n = 0; n < restarts; n += 1) await drill.restart(n % 2);
  await load.stop();
  for (const [kind, { done, failed }] of Object.entries(load.counts))
    print(`${kind}: ${done} done, ${failed.length} failed`);
  const failures = Object.values(load.counts).flatMap(({ failed }) => failed);
  for (const failure of failures.slice(0, 20)) print(failure);
  const complaints = failures.length === 0 ? [] : await drill.complaints();
  for (const complaint of complaints.slice(0, 20)) print(`nginx: ${complaint}`);
  const isIdle = Object.values(load.counts).some(({ done }) => done === 0);
  if (isIdle) print('there was no load of one kind: nothing is shown');
  process.exitCode = failures.length === 0 && !isIdle ? 0 : 1;
} finally {
  await drill.dispose();
}
