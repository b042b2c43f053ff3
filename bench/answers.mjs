/**
 * How well the built-in answerer answers, and whether it refuses what the documents do not answer:
 *
 *   npm run bench:answers -- --data DIR [--full] [--only NAME …] [--json FILE] [--evidence]
 *
 * DIR holds `chunking_eval` (long texts; questions with the passages that answer them) and `xquad` (paragraphs of articles in
 * several languages; questions with their exact answers). Searching and answering run in this process on the functions of
 * libs/answering, words alone and without database and store, because that is some twenty times faster than over HTTP. For each
 * collection:
 *
 * - quoted: of its own questions, how many are answered with a sentence of the evidence (long texts) or with the exact answer;
 * - contained: the same of the answer with the passages that are given as its sources;
 * - answerable refused: of its own questions, how many are refused;
 * - foreign refused: of questions about something else, in the same language, how many are refused. For paragraphs the
 *   articles are parted into two halves, and each half is asked the questions of the other; the long texts are asked those of
 *   the English articles;
 * - removed refused: of its own questions, asked after their article was removed. Reported only.
 *
 * Without --full every third pair of questions is asked. The odd questions decide: the exit code is 1 when one of them misses
 * a target. The even ones are only shown, because what was decided by the odd ones can be checked by them. --evidence adds the
 * facts behind every decision to the file.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readLongTexts, readParagraphs } from './lib/answer-collections.mjs';
import { ChunkedDocuments } from './lib/answer-modules.mjs';
import { isContained, isContainedInSources } from './lib/containment.mjs';

const LANGUAGES = ['en', 'de', 'zh', 'tr'];
const SAMPLE = 3;
const TARGETS = [
  { name: 'contained', isMet: (value) => value >= 0.75 },
  { name: 'foreign refused', isMet: (value) => value >= 0.85 },
  { name: 'answerable refused', isMet: (value) => value <= 0.12 },
];

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    full: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    json: { type: 'string' },
    evidence: { type: 'boolean', default: false },
  },
});
if (options.data === undefined) {
  process.stderr.write(
    'usage: npm run bench:answers -- --data DIR [--full] [--only NAME …] [--json FILE] [--evidence]\n',
  );
  process.exit(2);
}
const collections = [
  readLongTexts(join(options.data, 'chunking_eval')),
  ...LANGUAGES.map((language) => readParagraphs(join(options.data, 'xquad'), language)),
];
const english = collections.find(({ name }) => name === 'xquad/en');
const wanted = collections.filter(({ name }) => options.only === undefined || options.only.includes(name));
const results = [];
for (const collection of wanted) {
  for (const one of await casesOf(collection)) results.push(ask(collection, one));
}
for (const odd of [true, false]) {
  process.stdout.write(odd ? 'odd questions\n' : 'even questions\n');
  for (const { name } of wanted) report(name, odd);
}
if (options.json !== undefined) {
  await writeFile(options.json, `${results.map((result) => JSON.stringify(result)).join('\n')}\n`);
}

/** Every question with the dataset that it is put to. */
async function casesOf({ documents, questions: all }) {
  const chunked = await ChunkedDocuments.read(documents);
  const questions = sampled(all);
  const groups = [...new Set(documents.map(({ group }) => group))];
  const whole = chunked.dataset(() => true);
  const own = questions.map((question) => ({ role: 'own', dataset: whole, question }));
  const removed = groups.flatMap((group) => {
    const dataset = chunked.dataset((other) => other !== group);
    return questions
      .filter((question) => question.group === group)
      .map((question) => ({ role: 'removed', dataset, question }));
  });
  if (all[0].answers === undefined) {
    const others = sampled(english.questions.filter(({ number }) => number % 4 < 2));
    return [...own, ...removed, ...others.map((question) => ({ role: 'foreign', dataset: whole, question }))];
  }
  const foreign = [0, 1].flatMap((rest) => {
    const half = new Set(groups.filter((_, index) => index % 2 === rest));
    const dataset = chunked.dataset((group) => half.has(group));
    return questions
      .filter(({ group }) => !half.has(group))
      .map((question) => ({ role: 'foreign', dataset, question }));
  });
  return [...own, ...removed, ...foreign];
}

/** Odd and even questions alike. */
function sampled(questions) {
  return options.full ? questions : questions.filter(({ number }) => Math.ceil(number / 2) % SAMPLE === 0);
}

function ask({ name }, { role, dataset, question }) {
  const given = dataset.ask(question.text, options.evidence);
  const facts = { collection: name, role, id: question.id, text: question.text, odd: question.number % 2 === 1 };
  const isOwn = role === 'own';
  const { sources, ...told } = given;
  const contained = isOwn && isContained(question, given);
  return { ...facts, contained, inSources: isOwn && isContainedInSources(question, { ...told, sources }), ...told };
}

function report(name, odd) {
  const of = (role) => results.filter((one) => one.collection === name && one.role === role && one.odd === odd);
  const share = (list, test) => list.filter(test).length / list.length;
  const own = of('own');
  const figures = {
    quoted: share(own, ({ contained }) => contained),
    contained: share(own, ({ inSources }) => inSources),
    'foreign refused': share(of('foreign'), ({ refused }) => refused),
    'answerable refused': share(own, ({ refused }) => refused),
    'removed refused': share(of('removed'), ({ refused }) => refused),
  };
  const answered = own.filter(({ refused }) => !refused);
  const length = answered.reduce((sum, { answer }) => sum + answer.length, 0) / answered.length;
  const times = own.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const columns = Object.entries(figures).map(([label, value]) => `${label} ${value.toFixed(3)}`);
  process.stdout.write(
    `  ${name.padEnd(14)} ${columns.join('  ')}  ${length.toFixed(0)} characters, ` +
      `p50 ${times[times.length >> 1].toFixed(1)} ms, p95 ${times[Math.floor(times.length * 0.95)].toFixed(1)} ms ` +
      `(${own.length} own, ${of('foreign').length} foreign)\n`,
  );
  for (const { name: target, isMet } of TARGETS) {
    if (!odd || isMet(figures[target])) continue;
    process.stderr.write(`${name}: ${target} is ${figures[target].toFixed(3)} and misses its target.\n`);
    process.exitCode = 1;
  }
}
