/**
 * `npm run evaluate -- --job FILE [--gate] [--strict] [--junit FILE] [--report FILE] [--url URL] [--key KEY] [--timeout SECONDS]`: starts the
 * evaluation that the file describes (the body of `POST /evaluations/jobs`), waits for its end and prints what came out. Exit code 0; with
 * `--gate` 1 when the verdict is `fail`, and with `--strict` when it is `inconclusive` as well; 2 when there is no verdict: a wrong call, a
 * service that refuses or does not answer, an evaluation that failed, was cancelled or has no gates.
 */
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { print } from './lib/terminal.mjs';

const USAGE =
  'Say what to evaluate: --job FILE [--gate] [--strict] [--junit FILE] [--report FILE] [--url URL] [--key KEY] [--timeout SECONDS].';
const POLL_MS = 1_000;
/** Requests that may fail in a row before the service counts as gone. */
const TRIES = 6;
const text = { type: /** @type {const} */ ('string') };
const flag = { type: /** @type {const} */ ('boolean') };
const OPTIONS = { job: text, junit: text, report: text, url: text, key: text, timeout: text, gate: flag, strict: flag };

/** What ends the command with exit code 2 and a sentence. */
class Refused extends Error {}

let cancel = async () => undefined;
for (const name of ['SIGINT', 'SIGTERM'])
  process.once(name, () => {
    void cancel().finally(() => process.exit(2));
  });

try {
  process.exitCode = await evaluate(readOptions());
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}

function readOptions() {
  let values;
  try {
    ({ values } = parseArgs({ options: OPTIONS }));
  } catch (error) {
    throw new Refused(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
  const { KB_URL = 'http://127.0.0.1:8000/api/v1', KB_API_KEY } = process.env;
  const { job, url = KB_URL, key = KB_API_KEY, timeout = '3600', ...more } = values;
  if (job === undefined) throw new Refused(USAGE);
  if (key === undefined)
    throw new Refused('Give an API key with --key, or in KB_API_KEY, which no list of processes shows.');
  if (!(Number(timeout) > 0)) throw new Refused('--timeout is a number of seconds.');
  return { job, base: url.replace(/\/+$/, ''), key, seconds: Number(timeout), ...more };
}

async function evaluate(options) {
  const started = await start(options);
  print(`${started.name}: ${started.case_count} cases, ${started.variants.length} variants, ${started.id}`);
  cancel = () => send(options, 'POST', `/evaluations/jobs/${started.id}/cancel`, '{}');
  const job = await waitForEnd(options, started.id);
  cancel = async () => undefined;
  if (job.status !== 'completed')
    throw new Refused(`The evaluation is ${job.status}. ${job.error?.detail ?? ''}`.trim());
  show(job);
  for (const [file, format] of [
    [options.junit, 'junit'],
    [options.report, 'html'],
  ])
    if (file !== undefined) await writeFile(file, await readReport(options, job.id, format));
  if (options.gate !== true) return 0;
  if (job.verdict === null)
    throw new Refused('The evaluation has no gates; name them in the file, or leave out --gate.');
  return job.verdict === 'fail' || (job.verdict === 'inconclusive' && options.strict === true) ? 1 : 0;
}

async function start(options) {
  const body = await readFile(options.job, 'utf8');
  try {
    JSON.parse(body);
  } catch (error) {
    throw new Refused(`${options.job} holds no JSON: ${error instanceof Error ? error.message : ''}`);
  }
  // The same key with every try: an answer that was lost starts no second evaluation.
  return json(await send(options, 'POST', '/evaluations/jobs', body, randomUUID()));
}

async function waitForEnd(options, id) {
  for (const end = Date.now() + options.seconds * 1000; ; await pause(POLL_MS)) {
    const job = await json(await send(options, 'GET', `/evaluations/jobs/${id}`));
    if (job.status !== 'pending' && job.status !== 'running') return job;
    if (Date.now() <= end) continue;
    await cancel();
    throw new Refused(`The evaluation had no end after ${options.seconds} seconds, and was cancelled.`);
  }
}

async function readReport(options, id, format) {
  return (await send(options, 'GET', `/evaluations/jobs/${id}/report?format=${format}`)).text();
}

/** An answer that is 2xx. A service that is busy or away is asked again for a while. */
async function send({ base, key }, method, path, body, idempotencyKey) {
  const request = {
    method,
    headers: {
      'X-API-Key': key,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
    },
    ...(body === undefined ? {} : { body }),
  };
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(`${base}${path}`, request).catch((/** @type {unknown} */ error) => {
      if (tries === TRIES) throw new Refused(`${base} cannot be reached: ${causeOf(error)}`);
    });
    if (response?.ok) return response;
    if (response !== undefined && ((response.status < 500 && response.status !== 429) || tries === TRIES))
      throw new Refused(`${method} ${path} answered ${response.status}: ${reasonsOf(await response.text())}`);
    await pause(1000 * Math.min(30, Number(response?.headers.get('retry-after')) || tries));
  }
}

function causeOf(error) {
  const { cause, message } = error instanceof Error ? error : new Error(String(error));
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}

function reasonsOf(answer) {
  try {
    const { detail, errors = [] } = JSON.parse(answer);
    return [detail, ...errors.map((one) => `${one.pointer}: ${one.detail}`)].join('\n  ');
  } catch {
    return answer.slice(0, 200);
  }
}

function json(response) {
  return response.json();
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function show({ summary, verdict }) {
  for (const { name, metrics, misses, errors, latency_ms: latency } of summary.variants) {
    print(`\n${name}: ${misses} misses, ${errors} errors, p95 ${latency?.p95.toFixed(1) ?? '-'} ms`);
    for (const [key, { mean, low, high, n }] of Object.entries(metrics))
      print(`  ${key.padEnd(22)}${figure(mean)}  (${figure(low)} to ${figure(high)}, ${n} cases)`);
  }
  if (summary.gates.length > 0) print('\nGates');
  for (const { metric, kind, variant, against, threshold, value, low, high, verdict: one } of summary.gates) {
    const limit = kind === 'min' ? `at least ${threshold}` : `at most ${threshold} below ${against}`;
    print(`  ${one.padEnd(13)}${variant}: ${metric} ${limit}: ${figure(value)} (${figure(low)} to ${figure(high)})`);
  }
  print(`\nVerdict: ${verdict ?? 'none'}`);
}

function figure(value) {
  return value === null ? '-' : value.toFixed(3);
}
