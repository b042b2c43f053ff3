/**
 * How often verdicts of the semantic filter without any model are right, over the 200 predicates of `predicates.jsonl`:
 *
 *   npm run bench:semantic-filter
 *
 * Each predicate is judged over all documents, in this process, as the service does it; pairs that are annotated count, unclear ones do
 * not. The exit code is 1 where fewer than 90 % of the decided pairs are right.
 */
import { readFileSync } from 'node:fs';
import { finish } from '../dist/libs/common/src/index.js';
import { detectLanguage } from '../dist/libs/text/src/index.js';
import { schemaOf } from '../dist/src/modules/tables/semantic-filter/fact-schema.js';
import { DEFAULT_THRESHOLD } from '../dist/src/modules/tables/semantic-filter/filter-limits.js';
import { PredicateRun } from '../dist/src/modules/tables/semantic-filter/predicate-run.js';

const LEAST_RIGHT = 0.9;

const read = (name) =>
  readFileSync(new URL(`tables/${name}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const documents = read('documents.jsonl');
const predicates = read('predicates.jsonl');
const facts = documents.map(({ id, title, text, metadata }) => ({
  documentId: id,
  documentName: title,
  mediaType: 'text/plain',
  language: languageOf(text),
  createdAt: '2026-01-01T00:00:00.000Z',
  tags: [],
  metadata,
}));
const vocabulary = { keys: finish(schemaOf(facts)), ofDocuments: true };
const counts = new Map();
const showsEach = process.argv.includes('--each');
let pairs = 0;

for (const { id, predicate, true: holds, false: fails } of predicates) {
  const run = new PredicateRun(predicate, vocabulary);
  for (const [at, { text, title }] of documents.entries()) {
    const pieces = run.needsText(facts[at]) ? [{ text, title, ref: null }] : null;
    finish(run.add(facts[at], pieces, { isComplete: true, language: facts[at].language }));
  }
  const verdicts = run.conclude();
  for (const [truth, ids] of [
    [true, holds],
    [false, fails],
  ]) {
    for (const document of ids) {
      pairs += 1;
      const verdict = verdicts[documents.findIndex((each) => each.id === document)];
      if (verdict.truth === undefined || verdict.certainty < DEFAULT_THRESHOLD) continue;
      const isRight = verdict.truth === truth;
      for (const name of namesOf(verdict)) {
        const counted = counts.get(name) ?? { right: 0, wrong: 0 };
        counted[isRight ? 'right' : 'wrong'] += 1;
        counts.set(name, counted);
      }
      if (!isRight && showsEach) console.log(`${id} ${document}: ${verdict.truth}, ${verdict.means}`);
    }
  }
}

for (const [name, { right, wrong }] of [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
  console.log(
    `${name.padEnd(28)} ${right} of ${right + wrong} right (${((100 * right) / (right + wrong)).toFixed(1)} %)`,
  );
}
const { right, wrong } = counts.get('all') ?? { right: 0, wrong: 0 };
const decided = right + wrong;
console.log(`${decided} of ${pairs} pairs decided (${((100 * decided) / pairs).toFixed(1)} %)`);
if (decided === 0 || right / decided < LEAST_RIGHT) process.exitCode = 1;

function languageOf(text) {
  const { language } = detectLanguage(text);
  return language === 'und' ? null : language;
}

function namesOf({ truth, means, rationale }) {
  const rule = means === 'facts' ? 'facts' : rationale.split(' “')[0].slice(0, 40);
  return ['all', `all ${truth}`, `${means} ${truth}`, ...(showsEach ? [`rule ${rule} ${truth}`] : [])];
}
