/**
 * The service's main job on real files, through its HTTP interface: `npm run demo`. Starts the built service on a temporary
 * folder and removes it at the end; with DEMO_URL (the address with its prefix), DEMO_EMAIL and DEMO_PASSWORD it asks a service that
 * runs, and leaves the dataset there. Exit code 0 only when every answer holds the fact that is expected, cites the right file
 * for it, and every quotation is in the text of its document.
 */
import { readFile } from 'node:fs/promises';
import {
  bar,
  bold,
  cyan,
  dim,
  green,
  heading,
  kilobytes,
  LineFlow,
  LiveLines,
  paragraph,
  print,
  red,
  seconds,
  yellow,
} from './lib/terminal.mjs';

if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(
    `The demo needs Node 24, which "npm ci" brings along and "npm run demo" uses; this is ${process.version}.\n`,
  );
  process.exit(1);
}
const { ServiceProcess } = await import('./lib/service-process.ts');
const { ApiClient } = await import('./lib/api-client.ts');

const DOCUMENTS = new URL('../test/fixtures/documents/', import.meta.url);
const FILES = [
  'handbook.md',
  'policy.txt',
  'faq.html',
  'report.pdf',
  'guide.docx',
  'notice.ja.txt',
  'notice.zh.txt',
  'notice.th.txt',
];
const POLL_MS = 80;
const INGESTION_MS = 50_000;
const TERMINAL = new Set(['completed', 'failed', 'quarantined', 'cancelled']);

const SEARCHES = [
  { query: 'primary mirror diameter', file: 'report.pdf' },
  { query: 'ค่าลงทะเบียนค่ายดาราศาสตร์', file: 'notice.th.txt' },
];
const QUESTIONS = [
  {
    question: 'How many unused vacation days may field staff carry over into the next year?',
    fact: '7',
    file: 'handbook.md',
  },
  { question: 'What is the diameter of the new primary mirror?', fact: '1.8 metres', file: 'report.pdf', page: 2 },
  { question: 'How often is the dome motor serviced?', fact: '180 days', file: 'guide.docx' },
  { question: '每位会员一次最多可以借阅几本书?', fact: '五本', file: 'notice.zh.txt' },
  { question: 'Which airline flies to the capital of Peru?', refused: true },
];

const problems = [];
const began = performance.now();
let service;
let isInterrupted = false;

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(name, () => void interrupted(name));
try {
  await tellStory();
} catch (error) {
  problems.push(error instanceof Error ? error.message : String(error));
}
await finish();

async function tellStory() {
  print(bold('From files to cited answers'));
  service = await findService();
  heading(2, 'Authenticate');
  const client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  const me = await client.get('/auth/me');
  print(`    ${me.account.email}, tenant ${me.tenants[0].name}, role ${me.tenants[0].role}`);
  heading(3, 'Create a dataset');
  const dataset = await client.post('/datasets/', {
    name: 'Northwind Observatory',
    description: 'Handbook, policies and notices',
  });
  print(`    ${dataset.name} ${dim(dataset.id)}`);
  heading(4, `Upload ${FILES.length} files and watch them being ingested`);
  await ingest(client, dataset.id);
  heading(5, 'Search');
  for (const search of SEARCHES) await show(client, dataset.id, search);
  heading(6, 'Ask');
  for (const question of QUESTIONS) await ask(client, dataset.id, question);
}

async function findService() {
  const { DEMO_URL: url, DEMO_EMAIL: email, DEMO_PASSWORD: password } = process.env;
  if (url) return { url, admin: { email, password }, logTail: () => 'in its own log', dispose: async () => undefined };
  print(dim('Everything runs on this machine, in a temporary folder that is removed at the end.'));
  heading(1, 'Start the service');
  const started = performance.now();
  const own = await ServiceProcess.start({ settings: { STORAGE_RESERVE_BYTES: '0' } });
  print(`    ready after ${seconds(started)} at ${own.url}`);
  return own;
}

async function ingest(client, datasetId) {
  const live = new LiveLines();
  const rows = [];
  for (const name of FILES) {
    const document = await client.upload(datasetId, { name, content: await readFile(new URL(name, DOCUMENTS)) });
    rows.push(document);
    live.draw(rows.map(progressLine));
  }
  for (const end = Date.now() + INGESTION_MS; rows.some(({ status }) => !TERMINAL.has(status));) {
    if (Date.now() > end) throw new Error('The files were not ingested in time.');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const { items } = await client.get(`/documents/?dataset_id=${datasetId}&limit=100`);
    for (const [index, { id }] of rows.entries()) rows[index] = items.find((item) => item.id === id) ?? rows[index];
    live.draw(rows.map(progressLine));
  }
  for (const { name, status, searchable, error_message: message } of rows) {
    if (status !== 'completed' || !searchable) problems.push(`${name} is ${status}${message ? `: ${message}` : ''}.`);
  }
}

function progressLine({ id, name, size_bytes: size, status, current_stage: stage, processing_progress: progress }) {
  const isFinal = TERMINAL.has(status);
  const state =
    status === 'completed' ? green('completed') : isFinal ? red(status) : dim(status === 'pending' ? 'waiting' : stage);
  return { key: id, isFinal, text: `    ${name.padEnd(16)}${kilobytes(size).padStart(8)}  ${bar(progress)}  ${state}` };
}

async function show(client, datasetId, { query, file }) {
  const { results, retrieval } = await client.search(query, [datasetId], { top_k: 3 });
  print(
    `    ${yellow('?')} ${bold(query)} ${dim(`(${retrieval.search_method}, ${Math.round(retrieval.timings_ms.total)} ms)`)}`,
  );
  for (const { score, document_name: name, position, highlights, text } of results) {
    const place = [
      position.page === null ? '' : `page ${position.page}`,
      position.heading_path.join(' › '),
      `${position.char_start}–${position.char_end}`,
    ];
    print(`      ${green(score.toFixed(3))}  ${bold(name)} ${dim(place.filter(Boolean).join(' · '))}`);
    paragraph(shorten(highlights[0]?.text ?? text, 160), ' '.repeat(13));
  }
  if (results[0]?.document_name !== file) problems.push(`The search "${query}" should find ${file} first.`);
}

async function ask(client, datasetId, expected) {
  print(`\n    ${yellow('Q')}  ${bold(expected.question)}`);
  const flow = new LineFlow(' '.repeat(7), `    ${yellow('A')}  `);
  let answer = '';
  let end;
  for await (const { event, data } of client.chatEvents(expected.question, [datasetId])) {
    if (event === 'error') throw new Error(`The answer broke off: ${data}`);
    if (data === '[DONE]') break;
    const chunk = JSON.parse(data);
    const piece = chunk.choices[0]?.delta.content ?? '';
    answer += piece;
    flow.write(piece);
    if (chunk.citations !== undefined) end = chunk;
  }
  flow.end();
  if (end === undefined) throw new Error('The stream ended without its last chunk.');
  for (const citation of end.citations) await check(client, citation);
  if (end.refusal) print(`       ${dim(`refused: ${end.refusal.code}`)}`);
  judge(expected, answer, end);
}

/** Reads the document's text again and compares; the citation says of itself only what the service claims. */
async function check(client, citation) {
  const {
    marker,
    document_id: id,
    document_name: name,
    page,
    cited_text: quote,
    source_char_start: from,
    source_char_end: to,
  } = citation;
  const text = await client.text(id);
  const stands = citation.verified === true && quote !== '' && text.slice(from, to) === quote;
  const place = `${name}${page === null ? '' : `, page ${page}`}`;
  print(
    `       ${cyan(marker)} ${bold(place)} ${stands ? green('✓ stands in the document') : red('✗ does not stand there')} ${dim(`${from}–${to}`)}`,
  );
  paragraph(`“${shorten(quote, 200)}”`, ' '.repeat(11));
  if (!stands) problems.push(`The quotation ${marker} from ${name} does not stand in its text.`);
}

function judge({ question, fact, file, page, refused }, answer, { citations, refusal }) {
  if (refused) {
    if (!refusal || citations.length > 0)
      problems.push(`"${question}" has no answer in the files and should be refused.`);
    return;
  }
  if (!answer.includes(fact)) problems.push(`The answer to "${question}" should say ${fact}.`);
  const supports = (citation) =>
    citation.document_name === file &&
    citation.cited_text.includes(fact) &&
    (page === undefined || citation.page === page);
  if (!citations.some(supports)) problems.push(`The answer to "${question}" should cite ${file} with ${fact}.`);
}

function shorten(text, length) {
  const plain = text.replace(/\s+/g, ' ').trim();
  return plain.length <= length ? plain : `${plain.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')} …`;
}

async function finish() {
  if (isInterrupted) return;
  if (problems.length > 0 && service !== undefined) {
    print(`\n${bold('The last lines of the service:')}`);
    print(dim(service.logTail(25)));
  }
  await service?.dispose();
  if (problems.length === 0) {
    print(
      `${green('✓')} ${bold('Every answer is right and every quotation stands in its document.')} ${dim(seconds(began))}`,
    );
    print(`\n${bold('What to do next')}`);
    print(
      '  npm start                     a service that keeps what you give it; it prints its address and the first password',
    );
    print('  README.md, "A first session"  a dataset, a file of your own, a search and an answer, line by line');
    print('  README.md, "The second step"  a real embedding model, which knows synonyms, by one command');
    return;
  }
  print(`\n${red('✗')} ${bold('The demo failed:')}`);
  for (const problem of problems) print(`  - ${problem}`);
  process.exitCode = 1;
}

async function interrupted(name) {
  isInterrupted = true;
  print(`\n${name}: ending the service.`);
  await service?.dispose();
  process.exit(name === 'SIGINT' ? 130 : 143);
}
