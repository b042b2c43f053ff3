/**
 * `npm run drill:evaluation -- [cases] [kills]` (1,000 and 4): evaluates cases over generated documents under three variants, once without an
 * interruption and once while SIGKILL ends the service several times, the last time while figures are computed. Then it cancels an evaluation in the middle.
 * Exit code 0 only when both came to the same results and figures, to the last digit, every case was searched once under each variant, and nothing was
 * added to what was cancelled. Durations of searches are not compared: they are measured. Needs Node 24.
 */
import { buildOnce } from '../../scripts/build-once.mjs';
import { ApiClient } from '../../scripts/lib/api-client.ts';
import { ServiceProcess } from '../../scripts/lib/service-process.ts';
import { EvaluatedLibrary } from '../../bench/lib/evaluated-library.mjs';
import { ZipfTexts } from '../../bench/lib/zipf-texts.mjs';

const DOCUMENTS = 100;
const PAGE = 100;
const VARIANTS = 3;
const GATES = [
  { metric: 'hit_rate@10', min: 0.5 },
  { metric: 'ndcg@10', max_regression: 0.05 },
];
/** What is measured, and what names the one evaluation. */
const NOT_COMPARED = new Set(['latency_ms', 'id', 'job_id', 'created_at', 'started_at', 'ended_at', 'request']);

await buildOnce();
const cases = Number(process.argv[2] ?? 1_000);
const kills = Number(process.argv[3] ?? 4);
const began = performance.now();
const print = (line) =>
  process.stdout.write(`${((performance.now() - began) / 1_000).toFixed(1).padStart(6)} s  ${line}\n`);

const service = await ServiceProcess.start({ settings: { LOG_LEVEL: 'error', LEASE_SECONDS: '5' } });
const client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
const library = new EvaluatedLibrary(client, new ZipfTexts());
try {
  await library.upload(DOCUMENTS);
  print(`${DOCUMENTS} documents are searched`);
  const whole = await outcomeOf(await runWhole());
  const resumed = await outcomeOf(await runKilled());
  const problems = [...compare(whole, resumed), ...(await cancelOne())];
  for (const problem of problems) print(problem);
  print(problems.length === 0 ? 'the same to the last digit' : `${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await service.dispose();
}

async function runWhole() {
  const id = await library.start(cases, { gates: GATES });
  const { status } = await library.until(id, () => false);
  print(`without an interruption it is ${status}`);
  return id;
}

async function runKilled() {
  const id = await library.start(cases, { gates: GATES });
  const steps = cases * VARIANTS;
  for (let kill = 1; kill <= kills; kill += 1) {
    const isLast = kill === kills;
    const from = isLast ? steps : Math.floor((steps * kill) / (kills + 1));
    const { progress } = await library.until(id, (job) => job.progress.steps_done >= from);
    await service.kill('SIGKILL');
    print(`killed after ${progress.steps_done} of ${steps} searches${isLast ? ', while figures are computed' : ''}`);
    await service.start();
    const after = await library.read(id);
    if (after.status !== 'running') print(`after the start it is ${after.status}: the kill came too late`);
  }
  const { status } = await library.until(id, () => false);
  print(`with ${kills} kills it is ${status}`);
  return id;
}

/** Results and figures of an evaluation, without what is measured. */
async function outcomeOf(id) {
  const { status, verdict, summary, progress } = await library.read(id);
  const results = [];
  for (let skip = 0; skip < progress.steps; skip += PAGE) {
    const { items } = await client.get(`/evaluations/jobs/${id}/results?skip=${skip}&limit=${PAGE}`);
    results.push(...items);
  }
  const asList = { Accept: 'application/json' };
  const { items: events } = (await client.send('GET', `/evaluations/jobs/${id}/events?after=0`, undefined, asList))
    .body;
  const ends = events.filter(({ type }) => type !== 'evaluation.progress').map(({ type }) => type);
  return plain({ status, verdict, progress, summary, results, ends });
}

/** Every value with its path, in one list. */
function plain(value, path = '') {
  if (value === null || typeof value !== 'object') return [[path, value]];
  return Object.entries(value)
    .filter(([key]) => !NOT_COMPARED.has(key))
    .flatMap(([key, inner]) => plain(inner, `${path}/${key}`));
}

function compare(whole, resumed) {
  print(`${whole.length} values are compared`);
  const other = new Map(resumed);
  const differing = whole.filter(([path, value]) => !Object.is(other.get(path), value));
  const more = resumed.length === whole.length ? [] : [`${resumed.length} values instead of ${whole.length}`];
  const told = differing.slice(0, 20).map(([path, value]) => `${path}: ${value}, with kills ${other.get(path)}`);
  return [...told, ...more];
}

async function cancelOne() {
  const id = await library.start(cases);
  await library.until(id, ({ progress }) => progress.steps_done >= 50);
  try {
    print(`cancelled for good after ${(await library.cancel(id)).toFixed(0)} ms`);
    return [];
  } catch (error) {
    return [error.message];
  }
}
