/**
 * What a learned measure of `answered` would bring, beside the one of the product:
 *
 *   npm run bench:train-answered -- [--data DIR] [--rows FILE] [--fit]
 *
 * Asks the service in this process, with the embedder of the environment; --rows keeps what it found, and --fit judges such a file again.
 * Asked are bench/answered (eight texts of ours and questions in four languages: in own words, near misses made by the exchange of a
 * thing, place, year or variant, and plain ones, which are told in the words of the text) and the questions of DIR (default:
 * OWN_WORDS_DATA, else none; nothing of it is part of this project). A logistic regression with a ridge learns from our texts and the odd
 * questions of DIR; each of those is judged by a fit without the questions of its document. The even ones only judge. Two things may be
 * learned: that the documents hold an answer, which is what the area of `answered` measures, and that the statement which would be quoted
 * is the right one. `plain too`: the plain questions are learned from as well. `directed`: no sign may speak against its nature, so that a
 * shared word cannot speak against an answer. Printed are the area, then right, wrong (of those with an answer) and near misses refused at
 * the bar with the most right answers that keeps the bounds on what is learned from; then the area of each sign alone.
 */
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { areaOf, fitLogistic } from './lib/logistic-fit.mjs';

const RIDGES = [3, 30];
/** Bounds that a bar has to keep on what it is chosen with. */
const LEAST_REFUSED = 0.8;
const MOST_WRONG = 0.06;

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string' },
    data: { type: 'string', default: process.env.OWN_WORDS_DATA },
    fit: { type: 'boolean', default: false },
  },
});
const asked = options.fit ? JSON.parse(await readFile(options.rows, 'utf8'), withMaps) : await collect();
await fitAll(asked);
// The models that were loaded keep the process.
process.exit(0);

async function collect() {
  const admin = { email: 'admin@example.com', password: 'Only-for-this-bench-1' };
  const folder = await mkdtemp(join(tmpdir(), 'answered-'));
  Object.assign(process.env, {
    DATA_DIR: folder,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    BOOTSTRAP_ADMIN_EMAIL: admin.email,
    BOOTSTRAP_ADMIN_PASSWORD: admin.password,
  });
  const { collectRows } = await import('./lib/answered-rows.mjs');
  const sets = [await ourTexts(), ...(options.data === undefined ? [] : [await ownWords(resolve(options.data))])];
  const found = await collectRows(sets, admin);
  if (options.rows !== undefined) await writeFile(options.rows, JSON.stringify(found, withoutMaps));
  await rm(folder, { recursive: true, force: true });
  return found;
}

/** What JSON has no form for: maps are kept as their entries, and undefined in a list as null. */
function withoutMaps(_, value) {
  return value instanceof Map ? { entriesOfMap: [...value] } : value;
}

function withMaps(_, value) {
  if (value === null && Array.isArray(this)) return undefined;
  return Array.isArray(value?.entriesOfMap) ? new Map(value.entriesOfMap) : value;
}

async function ourTexts() {
  const folder = join(import.meta.dirname, 'answered');
  const files = (await linesOf(join(folder, 'documents.jsonl'))).map(({ name, text }) => ({
    name,
    content: Buffer.from(text),
  }));
  const questions = (await linesOf(join(folder, 'questions.jsonl'))).map(({ document, q, holds, isPlain = false }) => ({
    q,
    isPlain,
    group: document,
    isOdd: true,
    answers: holds === null ? null : [holds],
  }));
  return { name: 'texts', files, questions };
}

async function ownWords(folder) {
  const names = await readdir(join(folder, 'documents'));
  const files = await Promise.all(
    names.map(async (name) => ({ name, content: await readFile(join(folder, 'documents', name)) })),
  );
  const questions = (await linesOf(join(folder, 'questions.jsonl')))
    .filter(({ kind }) => kind === 'own_words' || kind === 'unanswerable')
    .map(({ id, turns, gold }) => ({
      q: turns[0],
      group: gold?.documents[0] ?? id,
      isOdd: Number(/\d+/.exec(id)[0]) % 2 === 1,
      answers: gold?.answers ?? null,
    }));
  return { name: 'own_words', files, questions };
}

async function linesOf(path) {
  return (await readFile(path, 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

async function fitAll(found) {
  const { directionOf, signsOf } = await import('./lib/answered-signs.mjs');
  const all = found.map((row) => judged(row, signsOf(row)));
  const rows = all.filter(({ signs }) => signs !== null);
  process.stdout.write(`${all.length} questions, ${rows.length} with statements compared\n`);
  const odd = (row) => row.set === 'own_words' && row.isOdd;
  const even = (row) => row.set === 'own_words' && !row.isOdd;
  const ours = (row) => row.set === 'texts' && row.isPlain !== true;
  const plain = (row) => row.isPlain === true;
  const sides = { odd, even, ours, plain };
  report('as it is', all, sides, (row) => row.answered, 0.5);
  const answered = (row) => row.answered;
  const chosen = barOf(
    all.filter((row) => row.isOdd),
    answered,
  );
  report(`as it is, bar ${chosen.toFixed(3)}`, all, sides, answered, chosen);
  report('were everything answered', all, sides, answered, -Infinity);
  for (const goal of ['isAnswerable', 'isRight']) {
    for (const ridge of RIDGES) {
      const how = { goal, ridge };
      report(`${goal} ${ridge}`, ...learned(all, rows, { ...how, withPlain: false }, sides));
      report(`${goal} ${ridge}, plain too`, ...learned(all, rows, { ...how, withPlain: true }, sides));
      report(
        `${goal} ${ridge}, plain, directed`,
        ...learned(all, rows, { ...how, withPlain: true, directionOf }, sides),
      );
    }
    printSigns(rows, goal);
  }
}

/** Values of all questions by a fit that did not see their document, and of the even ones by a fit of all others; 0 for those whose statements were not compared: they keep the product's word. */
function learned(all, rows, { goal, ridge, withPlain, directionOf = () => 0 }, sides) {
  const training = rows.filter((row) => row.isOdd && (withPlain || row.isPlain !== true));
  const groups = new Set(rows.filter((row) => row.isOdd).map(({ group }) => group));
  const directions = Object.keys(rows[0].signs).map(directionOf);
  const fitted = (some) =>
    fitLogistic(
      some.map(({ signs }) => Object.values(signs)),
      some.map((row) => Number(row[goal])),
      { ridge, directions },
    );
  const without = new Map([...groups].map((group) => [group, fitted(training.filter((row) => row.group !== group))]));
  const whole = fitted(training);
  const logits = new Map(
    rows.map((row) => [row, (row.isOdd ? without.get(row.group) : whole)(Object.values(row.signs))]),
  );
  const value = (row) => (logits.has(row) ? 1 / (1 + Math.exp(-logits.get(row))) : row.answered);
  return [
    all,
    sides,
    value,
    barOf(
      all.filter((row) => row.isOdd),
      value,
    ),
  ];
}

/** The bar with the most right answers among those that keep the bounds. */
function barOf(rows, value) {
  const bars = [...new Set(rows.map(value))].map((bar) => ({ bar, ...outcomes(rows, value, bar) }));
  const kept = bars.filter(({ refused, wrong }) => refused >= LEAST_REFUSED && wrong <= MOST_WRONG);
  return kept.toSorted((a, b) => b.right - a.right)[0]?.bar ?? Infinity;
}

function outcomes(rows, value, bar) {
  const some = rows.filter(({ isAnswerable }) => isAnswerable);
  const others = rows.filter(({ isAnswerable }) => !isAnswerable);
  const given = some.filter((row) => value(row) >= bar);
  return {
    right: given.filter(({ isRight }) => isRight).length / some.length,
    wrong: given.filter(({ isRight }) => !isRight).length / some.length,
    refused: others.filter((row) => value(row) < bar).length / others.length,
    area: others.length === 0 ? NaN : areaOf(some.map(value), others.map(value)),
  };
}

function report(name, rows, sides, value, bar) {
  const parts = Object.entries(sides).map(([side, counts]) => {
    const { area, right, wrong, refused } = outcomes(rows.filter(counts), value, bar);
    return `${side} ${[area, right, wrong, refused].map(shown).join(' ')}`;
  });
  process.stdout.write(`${name.padEnd(36)} ${parts.join(' | ')}\n`);
}

/** Of each sign alone: how it parts what is wanted from the rest, on the odd questions and ours without the plain ones, and on the even ones. */
function printSigns(rows, goal) {
  for (const sign of Object.keys(rows[0].signs)) {
    const areas = [true, false].map((isOdd) => {
      const side = rows.filter((row) => row.isOdd === isOdd && row.isPlain !== true);
      const of = (wanted) => side.filter((row) => row[goal] === wanted).map(({ signs }) => signs[sign]);
      return shown(areaOf(of(true), of(false)));
    });
    process.stdout.write(`  ${goal} by ${sign.padEnd(24)} ${areas.join(' ')}\n`);
  }
}

function shown(value) {
  return Number.isNaN(value) ? '–' : value.toFixed(2);
}

function judged(row, made) {
  const { answers, text, refused } = row;
  const quoted = refused ? (made?.quoted ?? '') : text;
  const isAnswerable = answers !== null;
  return {
    ...row,
    signs: made?.signs ?? null,
    isAnswerable,
    isRight: isAnswerable && answers.some((one) => isIn(one, quoted)),
  };
}

/** Whether an accepted answer is in a text: `27` is not in `2027`, `ten` not in `often`. */
function isIn(accepted, text) {
  const pattern = /^\/(.+)\/([a-z]*)$/.exec(accepted);
  if (pattern !== null) return new RegExp(pattern[1], pattern[2].includes('i') ? 'iu' : 'u').test(text.trim());
  const [wanted, given] = [accepted, text].map((one) => one.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' '));
  const left = /^[a-z\d]/.test(wanted) ? '(?<![a-z\\d])' : '';
  const right = /\d$/.test(wanted) ? '(?!\\d)' : '';
  return new RegExp(`${left}${RegExp.escape(wanted)}${right}`, 'u').test(given);
}
