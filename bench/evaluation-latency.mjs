/**
 * What an evaluation costs those who search meanwhile:
 *
 *   npm run bench:evaluation-latency -- [--cases 1000] [--documents 150] [--rounds 4] [--searches 150] [--max 1.5] [--rest]
 *
 * Starts the built service with a dataset of generated documents for each of two tenants. One runs evaluations of this many cases under three
 * variants; the other searches all the time, one search after the other with a pause between. Each round measures the same questions while nothing
 * else runs and while an evaluation searches, which is then cancelled. At last one evaluation of a twentieth of the cases runs to its end, and
 * one is measured while it concludes (`--rest`: with all cases, which takes some minutes). Prints p50 and p95 of both and their ratios. Exit code 1 when the
 * median of the rounds is above `--max`, of p50 or of p95, or when concluding is.
 */
import { Agent } from 'node:http';
import { parseArgs } from 'node:util';
import { ApiClient } from '../scripts/lib/api-client.ts';
import { ServiceProcess } from '../scripts/lib/service-process.ts';
import { EvaluatedLibrary } from './lib/evaluated-library.mjs';
import { postJson } from './lib/post-json.mjs';
import { ZipfTexts } from './lib/zipf-texts.mjs';

const PAUSE_MS = 20;
const WARM_UP = 200;
const OTHER = { admin_email: 'other@example.com', admin_password: 'bench-of-evaluations' };

const options = readOptions();
const texts = new ZipfTexts();
const service = await ServiceProcess.start({ settings: { LOG_LEVEL: 'error' } });
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
try {
  await bench();
} finally {
  agent.destroy();
  await service.dispose();
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      cases: { type: 'string', default: '1000' },
      documents: { type: 'string', default: '150' },
      rounds: { type: 'string', default: '4' },
      searches: { type: 'string', default: '150' },
      max: { type: 'string', default: '1.5' },
      rest: { type: 'boolean', default: false },
    },
  });
  const { rest, ...numbers } = values;
  return { rest, ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)])) };
}

async function bench() {
  const admin = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  await admin.post('/tenants', { name: 'Other', ...OTHER });
  const other = await new ApiClient(service.url).login(OTHER.admin_email, OTHER.admin_password);
  const [evaluated, searched] = [new EvaluatedLibrary(admin, texts), new EvaluatedLibrary(other, texts)];
  for (const library of [evaluated, searched]) await library.upload(options.documents);
  const searches = (count, seed) => measure(other, searched.dataset, count, seed);
  await searches(WARM_UP, 0);
  const ratios = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    const alone = await searches(options.searches, round);
    const job = await evaluated.start(options.cases);
    await evaluated.until(job, ({ progress }) => progress.steps_done >= 20);
    const beside = await searches(options.searches, round);
    const { progress } = await evaluated.read(job);
    const cancelledMs = await evaluated.cancel(job);
    ratios.push(report(`round ${round}`, alone, beside));
    print(
      `           ${progress.steps_done} of ${progress.steps} searches done meanwhile; cancelled for good after ${cancelledMs.toFixed(0)} ms`,
    );
  }
  const middle = (of) => ratios.map((ratio) => ratio[of]).sort((a, b) => a - b)[Math.floor((ratios.length - 1) / 2)];
  const concluding = await besideConclusion(searches, evaluated);
  print(`median of the rounds: p50 ${middle('p50').toFixed(2)}, p95 ${middle('p95').toFixed(2)} times as long`);
  const worst = Math.max(middle('p50'), middle('p95'), concluding?.p50 ?? 0);
  if (worst > options.max) {
    print(`Above ${options.max}.`);
    process.exitCode = 1;
  }
}

/** Searches while the figures of a job are computed; undefined when that is over too soon to be measured. */
async function besideConclusion(searches, evaluated) {
  const job = await evaluated.start(options.rest ? options.cases : Math.ceil(options.cases / 20));
  const began = performance.now();
  const alone = [];
  const beside = [];
  await evaluated.until(job, ({ progress }) => progress.steps_done === progress.steps);
  const searchedMs = performance.now() - began;
  while ((await evaluated.read(job)).status === 'running') beside.push(...(await searches(10, beside.length)));
  const endedMs = performance.now() - began;
  alone.push(...(await searches(Math.max(20, beside.length), 0)));
  const seconds = (ms) => (ms / 1000).toFixed(1);
  print(
    `a whole evaluation: searched for ${seconds(searchedMs)} s, concluded after ${seconds(endedMs - searchedMs)} s`,
  );
  return beside.length < 20 ? undefined : report('concluding', alone, beside);
}

/** Milliseconds of this many searches, with a pause after each. */
async function measure(client, datasetId, count, seed) {
  const took = [];
  for (let n = 0; n < count; n += 1) {
    const query = texts.question((n * 7 + seed) % options.documents, n + seed * 1_000);
    const body = JSON.stringify({ query, dataset_ids: [datasetId] });
    const began = performance.now();
    const { status, text } = await postJson(agent, `${service.url}/retrieval/search`, body, client.headers);
    took.push(performance.now() - began);
    if (status !== 200) throw new Error(`A search answered ${status}: ${text.slice(0, 300)}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return took;
}

function report(name, alone, beside) {
  const [a, b] = [figures(alone), figures(beside)];
  const ratio = { p50: b.p50 / a.p50, p95: b.p95 / a.p95 };
  const show = ({ p50, p95 }) => `p50 ${p50.toFixed(1)} ms p95 ${p95.toFixed(1)} ms`;
  print(
    `${name.padEnd(10)} alone ${show(a)}; beside ${show(b)}; p50 ${ratio.p50.toFixed(2)}, p95 ${ratio.p95.toFixed(2)} times as long`,
  );
  return ratio;
}

function figures(took) {
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)];
  return { p50: at(0.5), p95: at(0.95) };
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
