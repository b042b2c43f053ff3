/**
 * Files of many formats through the HTTP interface:
 *
 *   npm run bench:files -- --data DIR [--only TEXT] [--concurrency 1] [--json FILE]
 *
 * DIR holds manifest.jsonl, one line a file: `file`, `expect` (text, partial, no_text, encrypted, malformed,
 * text_or_unsupported) and, where the text is known, `gold` (or `weak_gold`, whose recall is shown and not counted). Starts the
 * built service on a temporary folder, uploads file after file, and holds against the manifest: the final state, the time, the
 * share of the expected words that are in the document's text, the exact text of the folder `encodings`, and the memory of all
 * processes above idle. The exit code is 1 when anything is missed.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ApiClient } from '../scripts/lib/api-client.ts';
import { ServiceProcess } from '../scripts/lib/service-process.ts';
import { inParallel } from './lib/in-parallel.mjs';
import { MemoryPeak } from './lib/memory-peak.mjs';
import { sameText, tokenRecall } from './lib/text-recall.mjs';

const MOST_SECONDS = 30;
const MOST_MEMORY = 400 * 1024 * 1024;
/** Mean recall that each format must reach over the files whose text is known. */
const FLOORS = { pdf: 0.97, docx: 0.95, html: 0.95, pptx: 0.9, xlsx: 0.9 };
const MEGABYTE = 1024 * 1024;

const options = readOptions();
const manifest = (await readFile(join(options.data, 'manifest.jsonl'), 'utf8'))
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => JSON.parse(line))
  .filter(({ file }) => file.includes(options.only));

const service = await ServiceProcess.start();
let results;
let memory;
try {
  const client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  const datasetId = await client.createDataset('bench files');
  const peak = await MemoryPeak.watch(() => service.rootPids());
  results = await inParallel(manifest, options.concurrency, (entry) => check(client, datasetId, entry));
  memory = await peak.stop();
  if (!service.isRunning) throw new Error('The service has ended.');
} catch (error) {
  process.stderr.write(`${service.logTail(25)}\n`);
  throw error;
} finally {
  await service.dispose();
}

for (const result of results) process.stdout.write(`${lineOf(result)}\n`);
const means = meansOf(results);
process.stdout.write('\n');
for (const { format, files, mean, floor } of means) {
  const wanted = floor === undefined ? '' : ` (at least ${floor})`;
  process.stdout.write(`${format.padEnd(10)} ${mean.toFixed(4)} mean recall of ${files} files${wanted}\n`);
}
const inMegabytes = (bytes) => (bytes / MEGABYTE).toFixed(0);
process.stdout.write(
  `memory     ${inMegabytes(memory.idle)} MB idle, at most ${inMegabytes(memory.above)} MB above it (limit ${inMegabytes(MOST_MEMORY)} MB)\n`,
);
for (const { command, proportional } of memory.processes
  .toSorted((a, b) => b.proportional - a.proportional)
  .slice(0, 5)) {
  process.stdout.write(`           ${inMegabytes(proportional).padStart(4)} MB  ${command.slice(0, 90)}\n`);
}
const misses = [
  ...results.flatMap(({ file, problems }) => problems.map((problem) => `${file}: ${problem}`)),
  ...means.filter(({ mean, floor }) => mean < (floor ?? 0)).map(({ format }) => `${format}: mean recall`),
  ...(memory.above > MOST_MEMORY ? ['memory above idle'] : []),
];
if (options.json !== undefined) {
  await writeFile(options.json, `${JSON.stringify({ results, means, memory, misses }, null, 2)}\n`);
}
process.stdout.write(`\n${results.length} files, ${misses.length} misses\n`);
for (const miss of misses) process.stdout.write(`  ${miss}\n`);
if (misses.length > 0) process.exitCode = 1;

function readOptions() {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      only: { type: 'string', default: '' },
      concurrency: { type: 'string', default: '1' },
      json: { type: 'string' },
    },
  });
  if (values.data === undefined) {
    process.stderr.write('usage: npm run bench:files -- --data DIR [--only TEXT] [--concurrency 1] [--json FILE]\n');
    process.exit(2);
  }
  return { ...values, data: resolve(values.data), concurrency: Number(values.concurrency) };
}

async function check(client, datasetId, entry) {
  const content = await readFile(join(options.data, entry.file));
  const started = performance.now();
  const form = new FormData();
  form.append('dataset_id', datasetId);
  form.append('on_duplicate', 'keep_both');
  form.append('file', new Blob([content]), basename(entry.file));
  const answer = await client.send('POST', '/documents/upload', form);
  const format = extname(entry.file).slice(1);
  const base = { file: entry.file, format, folder: entry.file.split('/')[0], expect: entry.expect };
  if (answer.status !== 201) {
    const seconds = (performance.now() - started) / 1000;
    const code = answer.body?.code ?? '';
    const isFine = answer.status === 415 && entry.expect === 'text_or_unsupported';
    return { ...base, seconds, state: `${answer.status} ${code}`, problems: isFine ? [] : [`upload ${answer.status}`] };
  }
  const document = await client.pollUntilTerminal(answer.body.id, { timeoutMs: 2 * MOST_SECONDS * 1000 });
  const seconds = (performance.now() - started) / 1000;
  const problems = findStateProblems(entry.expect, document);
  if (seconds > MOST_SECONDS) problems.push(`took ${seconds.toFixed(1)} s`);
  const text = document.status === 'completed' ? await client.text(document.id) : '';
  const { recall, isCounted } = await compare(entry, text);
  if (entry.file.startsWith('encodings/') && !(await isExact(entry, text))) problems.push('text differs');
  return {
    ...base,
    seconds,
    state: document.error === null ? document.status : `${document.status} ${document.error.code}`,
    chunks: document.chunk_count,
    charset: document.charset,
    warnings: document.warnings.map(({ code }) => code),
    recall,
    isCounted,
    problems,
  };
}

function findStateProblems(expect, { status, chunk_count: chunks, error, warnings }) {
  const isRead = status === 'completed' && chunks > 0;
  const failedWith = (...codes) => status === 'failed' && codes.includes(error?.code);
  const isAsExpected = {
    text: () => isRead,
    partial: () => isRead,
    no_text: () => status === 'completed' && chunks === 0 && warnings.length > 0,
    encrypted: () => failedWith('ENCRYPTED'),
    malformed: () => failedWith('MALFORMED') || isRead,
    text_or_unsupported: () => isRead || failedWith('UNSUPPORTED_TYPE'),
  }[expect];
  if (isAsExpected === undefined) return [`expectation "${expect}" is not known`];
  return isAsExpected() ? [] : [`expected ${expect}, got ${status} ${error?.code ?? ''} with ${chunks} chunks`];
}

async function compare(entry, text) {
  const gold = entry.gold ?? entry.weak_gold;
  if (gold === undefined) return { recall: null, isCounted: false };
  const expected = await readFile(join(options.data, gold), 'utf8');
  return { recall: tokenRecall(expected, text), isCounted: entry.gold !== undefined };
}

async function isExact(entry, text) {
  if (entry.gold === undefined) return true;
  return sameText(await readFile(join(options.data, entry.gold), 'utf8'), text);
}

function meansOf(all) {
  const formats = [...new Set(all.filter(({ isCounted }) => isCounted).map(({ folder }) => folder))];
  return formats.map((format) => {
    const counted = all.filter((result) => result.folder === format && result.isCounted);
    const mean = counted.reduce((sum, { recall }) => sum + recall, 0) / counted.length;
    return { format, files: counted.length, mean, floor: FLOORS[format] };
  });
}

function lineOf({ file, seconds, state, chunks, recall, isCounted, charset, warnings, problems }) {
  const quality = recall === null || recall === undefined ? '' : `${recall.toFixed(4)}${isCounted ? '' : ' weak'}`;
  const columns = [
    problems.length === 0 ? '  ' : '! ',
    file.padEnd(72),
    seconds.toFixed(1).padStart(5),
    ` s  ${state.padEnd(22)}`,
    String(chunks ?? '').padStart(4),
    `  ${quality.padEnd(12)}`,
    [charset ?? '', ...(warnings ?? [])].filter(Boolean).join(' '),
  ];
  return columns.join('').trimEnd();
}
