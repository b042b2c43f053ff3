/**
 * What the extraction without a model finds on `bench/graph/paragraphs.jsonl`: precision and recall by language and by type, and its speed.
 * An entity counts as found when one of its forms there is one of the forms found; a label that is none of them counts against precision.
 * With `--misses` every difference is printed.
 */
import { readFileSync } from 'node:fs';
import { entityKeyOf } from '../dist/src/modules/kg/entity-rules/entity-key.js';
import { extractGraph } from '../dist/src/modules/kg/entity-rules/extract-graph.js';

const file = new URL('graph/paragraphs.jsonl', import.meta.url);
const paragraphs = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const showsMisses = process.argv.includes('--misses');
const rows = new Map();

function count(name, field, by = 1) {
  const row = rows.get(name) ?? { found: 0, right: 0, typed: 0, wanted: 0, met: 0 };
  row[field] += by;
  rows.set(name, row);
}

for (const { id, language, text, entities } of paragraphs) {
  const { mentions } = extractGraph([{ start: 0, text, headings: [] }]);
  const found = [...Map.groupBy(mentions, ({ key }) => key).values()];
  const formsOf = ({ text: first, aliases }) => new Set([first, ...aliases].map(entityKeyOf));
  for (const { text: first, aliases, type } of entities) {
    const forms = formsOf({ text: first, aliases });
    const isMet = found.some((own) => own.some(({ form }) => forms.has(entityKeyOf(form))));
    for (const name of [language, type, 'all']) {
      count(name, 'wanted');
      if (isMet) count(name, 'met');
    }
    if (!isMet && showsMisses) console.log(`${id} missed ${type} ${first}`);
  }
  for (const own of found) {
    const { label, type } = own[0];
    const met = entities.find((entity) => formsOf(entity).has(entityKeyOf(label)));
    for (const name of [language, type, 'all']) {
      count(name, 'found');
      if (met !== undefined) count(name, 'right');
      if (met?.type === type) count(name, 'typed');
    }
    if (showsMisses && met?.type !== type)
      console.log(`${id} ${met === undefined ? 'wrong' : `is ${met.type}, not`} ${type} ${label}`);
  }
}

const share = (a, b) => (b === 0 ? '   – ' : (a / b).toFixed(3));
console.log('                precision  with type  recall  entities');
for (const [name, row] of rows) {
  console.log(
    `${name.padEnd(16)}${share(row.right, row.found).padStart(9)}${share(row.typed, row.found).padStart(11)}${share(row.met, row.wanted).padStart(8)}${String(row.wanted).padStart(10)}`,
  );
}

const passage = paragraphs
  .slice(0, 10)
  .map(({ text }) => text)
  .join('\n\n');
const began = performance.now();
const rounds = 100;
for (let round = 0; round < rounds; round++) extractGraph([{ start: 0, text: passage, headings: [] }]);
const characters = (rounds * passage.length * 1000) / (performance.now() - began);
console.log(`\n${Math.round(characters / 1000)},000 characters a second`);
