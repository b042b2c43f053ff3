/**
 * False alarms and speed of the detectors:
 *
 *   npm run bench:detectors -- --data DIR
 *
 * DIR holds `chunking_eval/corpora/*.md` and `xquad/LANGUAGE/corpus.jsonl`. Every finding is shown with its place and surroundings, so
 * that a person can say which are false; then MB/s with all detectors and with each, and milliseconds for 1 MB of texts that
 * are made to be slow. The exit code is 1 below 5 MB/s, or when such a text takes longer than 5 seconds.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { detect, ENTITY_TYPES } from '#libs/detectors';

const HOSTILE = [
  'a@',
  'a',
  '7',
  '41 ',
  '12-',
  '(0',
  'ab:',
  'x://u:p',
  'password=',
  'ignore all the ',
  '\nsystem:',
  '---',
  '\u200b',
  'eyJaaaaaaaa.',
  '0171 123',
  '-----BEGIN PRIVATE KEY-----\n',
];
const { values: options } = parseArgs({ options: { data: { type: 'string' } } });
if (options.data === undefined) throw new Error('--data DIR is missing: the folder with chunking_eval and xquad.');

const corpora = join(options.data, 'chunking_eval', 'corpora');
const xquad = join(options.data, 'xquad');
const texts = [
  ...readdirSync(corpora).map((file) => ({ name: file, text: readFileSync(join(corpora, file), 'utf8') })),
  ...readdirSync(xquad).map((language) => ({
    name: `xquad ${language}`,
    text: articlesOf(join(xquad, language, 'corpus.jsonl')),
  })),
];

function articlesOf(file) {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line).text).join('\n\n');
}

function msOf(work) {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function speedOf(types) {
  const bytes = texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  return bytes / 1e3 / msOf(() => texts.forEach(({ text }) => detect(text, { types })));
}

for (const { name, text } of texts) {
  const found = detect(text);
  const share = (found.length / (Buffer.byteLength(text) / 100_000)).toFixed(2);
  console.log(`${name}: ${found.length} findings, ${share} in 100 KB`);
  for (const { entityType, rule, score, start, end } of found) {
    console.log(
      `  ${entityType} ${rule} ${score} at ${start}: ${JSON.stringify(text.slice(Math.max(0, start - 25), end + 15))}`,
    );
  }
}
for (const type of ENTITY_TYPES) console.log(`${type}: ${speedOf([type]).toFixed(1)} MB/s`);
const all = Math.max(speedOf(ENTITY_TYPES), speedOf(ENTITY_TYPES));
console.log(`all detectors: ${all.toFixed(1)} MB/s`);
let slowest = 0;
for (const unit of HOSTILE) {
  const text = unit.repeat(Math.ceil(2 ** 20 / unit.length));
  const ms = msOf(() => detect(text, { minScore: 0 }));
  slowest = Math.max(slowest, ms);
  console.log(`1 MB of ${JSON.stringify(unit)}: ${ms.toFixed(0)} ms`);
}
if (all < 5 || slowest > 5_000) process.exitCode = 1;
