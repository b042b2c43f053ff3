/**
 * How often verdicts of the semantic filter without any model are right, over the 200 predicates of `predicates.jsonl` about documents, and
 * those of `chunk-predicates.jsonl` and `row-predicates.jsonl`:
 *
 *   npm run bench:semantic-filter
 *
 * Each predicate is judged over all documents, chunks or rows of its table, in this process, as the service does it; pairs that are annotated count, unclear ones do
 * not. The exit code is 1 where fewer than 90 % of the decided pairs of documents, chunks or rows are right.
 */
import { readFileSync } from 'node:fs';
import { finish } from '../dist/libs/common/src/index.js';
import { detectLanguage } from '../dist/libs/text/src/index.js';
import { schemaOf } from '../dist/src/modules/tables/semantic-filter/fact-schema.js';
import { DEFAULT_THRESHOLD } from '../dist/src/modules/tables/semantic-filter/filter-limits.js';
import { judgeRows, sentencesOf } from './lib/judged-parts.mjs';
import { PredicateRun } from '../dist/src/modules/tables/semantic-filter/predicate-run.js';

const LEAST_RIGHT = 0.9;
/** The first documents are English; the chunks are their sentences. */
const ENGLISH = 40;

const read = (name) =>
  readFileSync(new URL(`tables/${name}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const documents = read('documents.jsonl');
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
const showsEach = process.argv.includes('--each');

/** Verdicts over what no one has given facts to, or over documents. */
function judgeTexts(predicate, items, schema) {
  const run = new PredicateRun(predicate, schema);
  for (const { text, title, facts: own, isWhole } of items) {
    const pieces = run.needsText(own) ? [{ text, title, ref: null }] : null;
    finish(run.add(own, pieces, { isComplete: isWhole, language: own.language }));
  }
  return new Map(finish(run.conclude()).map((verdict, index) => [items[index].id, verdict]));
}

/** Counts verdicts over what is annotated. */
async function measure(what, list, verdictsOf) {
  const counts = new Map();
  let pairs = 0;
  for (const each of list) {
    const verdicts = await verdictsOf(each);
    for (const truth of [true, false]) {
      for (const id of each[truth]) {
        pairs += 1;
        const verdict = verdicts.get(id);
        if (verdict === undefined) throw new Error(`${each.id}: nothing is known of ${id}.`);
        if (verdict.truth === undefined || verdict.certainty < DEFAULT_THRESHOLD) continue;
        const isRight = verdict.truth === truth;
        for (const name of namesOf(verdict)) {
          const counted = counts.get(name) ?? { right: 0, wrong: 0 };
          counted[isRight ? 'right' : 'wrong'] += 1;
          counts.set(name, counted);
        }
        if (!isRight && showsEach) console.log(`${each.id} ${id}: ${verdict.truth}, ${verdict.means}`);
      }
    }
  }
  console.log(`${what}:`);
  for (const [name, { right, wrong }] of [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    console.log(
      `  ${name.padEnd(28)} ${right} of ${right + wrong} right (${((100 * right) / (right + wrong)).toFixed(1)} %)`,
    );
  }
  const { right, wrong } = counts.get('all') ?? { right: 0, wrong: 0 };
  const decided = right + wrong;
  console.log(`  ${decided} of ${pairs} pairs decided (${((100 * decided) / pairs).toFixed(1)} %)`);
  if (decided === 0 || right / decided < LEAST_RIGHT) process.exitCode = 1;
}

const whole = documents.map(({ id, title, text }, index) => ({ id, title, text, facts: facts[index], isWhole: true }));
await measure('documents', read('predicates.jsonl'), ({ predicate }) => judgeTexts(predicate, whole, vocabulary));

const nothing = { ...facts[0], documentName: '', language: 'en', metadata: {} };
const chunks = sentencesOf(documents.slice(0, ENGLISH)).map((each) => ({
  ...each,
  title: '',
  facts: nothing,
  isWhole: true,
}));
const withoutFacts = { keys: finish(schemaOf([nothing])), ofDocuments: true };
await measure('chunks', read('chunk-predicates.jsonl'), ({ predicate }) => judgeTexts(predicate, chunks, withoutFacts));

await measure('rows', read('row-predicates.jsonl'), ({ table, predicate }) =>
  judgeRows(new URL(`tables/${table}`, import.meta.url), predicate),
);

function languageOf(text) {
  const { language } = detectLanguage(text);
  return language === 'und' ? null : language;
}

function namesOf({ truth, means, rationale }) {
  const rule = means === 'facts' ? 'facts' : rationale.split(' “')[0].slice(0, 40);
  return ['all', `all ${truth}`, `${means} ${truth}`, ...(showsEach ? [`rule ${rule} ${truth}`] : [])];
}
