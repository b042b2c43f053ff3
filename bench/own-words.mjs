/**
 * Search and chat for questions in people's own words, over HTTP:
 *
 *   npm run bench:own-words -- [--data DIR] [--model DIR] [--double KIND] [--json FILE] [--show N] [--gate]
 *
 * Starts the built service on a temporary folder, with the settings of the store and the models that the environment holds; `--model DIR`
 * represents EMBEDDING_PROVIDER=local and EMBEDDING_MODEL_PATH=DIR. DIR of `--data` (default: OWN_WORDS_DATA, else ../shared/data/own_words)
 * holds documents, questions.jsonl and score.mjs, which asks and judges; nothing of it is part of this project. Shown with 95 % intervals
 * and for the odd and the even questions of each kind, which are told apart by their numbers: decide by the odd ones, and only look at
 * the even ones. `--double KIND` takes a double of a provider for the chat model (libs/ai/src/testing/doubles/answerers.ts): `well` quotes
 * the sentence that holds an accepted answer wherever a source holds it, and else declines; `invents` spoils it; `ignores` reads no source.
 * The bounds are those of the built-in chat model, so none is judged then. `--show N` prints this many failed exchanges of each outcome and kind. With `--gate` the exit code is 1 when a bound is missed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ServiceProcess } from '../scripts/lib/service-process.ts';
import { startDouble } from './lib/double-process.mjs';
import { judgeBounds, reportOf } from './lib/own-words-report.mjs';
import { settingsFromEnvironment } from './lib/settings-from-environment.mjs';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: process.env.OWN_WORDS_DATA ?? '../shared/data/own_words' },
    model: { type: 'string' },
    double: { type: 'string' },
    json: { type: 'string' },
    show: { type: 'string', default: '0' },
    gate: { type: 'boolean', default: false },
  },
});
const model =
  options.model === undefined ? {} : { EMBEDDING_PROVIDER: 'local', EMBEDDING_MODEL_PATH: resolve(options.model) };
const double = options.double === undefined ? null : await startAnswering(options.double);
const chat =
  double === null
    ? {}
    : {
        CHAT_PROVIDER: 'openai',
        CHAT_MODEL: `double-${options.double}`,
        OPENAI_BASE_URL: double.baseUrl,
        OPENAI_API_KEY: 'none',
      };
const folder = await mkdtemp(join(tmpdir(), 'own-words-'));
const service = await ServiceProcess.start({ settings: { ...settingsFromEnvironment(), ...model, ...chat } });
let rows;
try {
  rows = await ask(join(folder, 'rows.json'));
} catch (error) {
  process.stderr.write(`${service.logTail(25)}\n`);
  throw error;
} finally {
  await service.dispose();
  await double?.stop();
  await rm(folder, { recursive: true, force: true });
}
const hasModel = (model.EMBEDDING_PROVIDER ?? settingsFromEnvironment().EMBEDDING_PROVIDER) !== undefined;
const report = reportOf(rows);
for (const { name, all, odd, even } of report)
  process.stdout.write(
    `${name.padEnd(44)} ${shown(all).padEnd(26)} odd ${shown(odd).padEnd(26)} even ${shown(even)}\n`,
  );
const bounds = double === null ? judgeBounds(report, hasModel ? 'model' : 'builtin') : [];
for (const { name, value, bound, isMet } of bounds)
  process.stdout.write(`${isMet ? 'met   ' : 'MISSED'}  ${name.padEnd(44)} ${value.toFixed(3)} (${bound})\n`);
if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify({ report, bounds, rows }, null, 1)}\n`);
if (options.gate && bounds.some(({ isMet }) => !isMet)) process.exitCode = 1;

/** Every question with what came of it, as the data's own runner judges it. */
async function ask(file) {
  const { origin } = new URL(service.url);
  const { email, password } = service.admin;
  const runner = join(resolve(options.data), 'score.mjs');
  const how = ['--base', origin, '--email', email, '--password', password, '--json', file, '--show', options.show];
  const child = spawn(process.execPath, [runner, ...how], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${runner} ended with ${code}.`);
  return JSON.parse(await readFile(file, 'utf8')).rows;
}

/** A double that knows the questions of the data and what their answers hold. */
async function startAnswering(kind) {
  if (!['well', 'invents', 'ignores'].includes(kind)) throw new Error('--double: well, invents or ignores.');
  const lines = (await readFile(join(resolve(options.data), 'questions.jsonl'), 'utf8')).split('\n').filter(Boolean);
  const answers = lines.flatMap((line) => {
    const { turns, gold } = JSON.parse(line);
    return turns.map((turn) => knownOf(typeof turn === 'string' ? { q: turn, gold } : turn));
  });
  const started = await startDouble();
  await started.answer({ kind, answers });
  return started;
}

/** The sentence of the gold passage, else one that holds an accepted answer. */
function knownOf({ q: question, gold }) {
  const holds = gold === null ? [] : [gold.passage?.slice(0, 60), ...gold.answers];
  return { question, holds: holds.filter((part) => part !== undefined && !part.startsWith('/')) };
}

function shown(figure) {
  if (figure === null) return '–';
  const { mean, low, high, n } = figure;
  return `${mean.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}] of ${n}`;
}
