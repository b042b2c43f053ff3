/**
 * `npm run drill:kills -- [rounds] [seed]`: uploads documents of random sizes and kills the service at random moments,
 * its database, both, or its parsers, now and then again during the recovery, while documents are reingested too. `.ci/run`
 * plays a few rounds; needs Node 24. Exit code 0 only when nothing was lost, doubled or left behind.
 */
import './support/typescript-hooks.mjs';

const { buildOnce } = await import('../../scripts/build-once.mjs');
// The support files import what is built.
await buildOnce();
const { crashDocument, generator } = await import('./support/crash-documents.ts');
const { CrashRun } = await import('./support/crash-run.ts');

const rounds = Number(process.argv[2] ?? 10);
const seed = process.argv[3] ?? String(Date.now());
const random = generator(seed);
const between = (low, high) => Math.floor(low + random() * (high - low));
const oneOf = (values) => values[between(0, values.length)];
const print = (line) => process.stdout.write(`${line}\n`);
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function playRound(run, round) {
  const documents = Array.from({ length: between(1, 8) }, (_, n) =>
    crashDocument(
      `${seed}-${round}-${n}`,
      oneOf([between(100, 5_000), between(5_000, 200_000), between(200_000, 2_000_000)]),
    ),
  );
  const known = run.acknowledged.size;
  const uploads = Promise.allSettled(documents.map((document) => run.upload([document])));
  const victim = oneOf(['service', 'group', 'service and database', 'database', 'parsers']);
  const reingested = await run.reingest(between(0, 4));
  const afterMs = between(0, oneOf([300, 3_000, 15_000]));
  await wait(afterMs);
  await run.service.kill(victim);
  await uploads;
  const times = run.service.isRunning ? 0 : oneOf([0, 0, 1, 3]);
  const again = Array.from({ length: times }, () => oneOf(['first log line', 'address', 'ready']));
  for (const moment of again) await run.killDuringStart(moment, oneOf(['service', 'group']));
  const found = await run.recover();
  const { readyMs, doneMs } = run.recoveries.at(-1);
  const acknowledged = run.acknowledged.size - known;
  print(
    `${round}: ${victim} killed after ${afterMs} ms, ${acknowledged} of ${documents.length} acknowledged, ${reingested} reingested, ` +
      `killed again at [${again.join(', ')}], ready ${readyMs} ms, done ${doneMs} ms, ${found.length} problems`,
  );
  return found;
}

print(`seed ${seed}`);
const run = await CrashRun.begin(2);
const problems = [];
try {
  for (let round = 1; round <= rounds; round++) problems.push(...(await playRound(run, round)));
  problems.push(...(await run.checkAll()), ...(await run.compareStores()));
} finally {
  await run.service.dispose();
}
for (const problem of new Set(problems)) print(problem);
print(`${run.acknowledged.size} documents acknowledged, ${new Set(problems).size} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
