/**
 * Forty awkward office files through the HTTP interface: what a careful reader expects in their text, and what not.
 *
 *   npm run bench:awkward-files -- [--data bench/awkward-files] [--only TEXT] [--entry dist/src/main.js] [--show] [--json FILE]
 *
 * Beside each file NN.ext lies NN.expected.json: `must_contain` and `must_not_contain` (strings of the text), `must_not_join` (pairs that
 * are in different lines), `rows` (cells that are together in one line), `debatable_not_contain` (reported only). Texts are compared
 * after NFKC, with white space collapsed and without soft hyphens, blanks between Chinese or Japanese characters, and the marks of tables.
 * Prints what each file misses (`--show`: with the strings), and the shares. Exit code 0 unless the service fails: what is right is a matter of measure.
 */
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ApiClient } from '../scripts/lib/api-client.ts';
import { ServiceProcess } from '../scripts/lib/service-process.ts';

const KINDS = {
  a: 'names that lie, archives',
  b: 'tables',
  c: 'what a reader does not see',
  d: 'pages with a main part',
  e: 'tracked changes, transcripts, saved pages',
  f: 'PDF',
};
const CJK = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}。、，・ー「」（）]`;
const BETWEEN_CJK = new RegExp(`(?<=${CJK}) (?=${CJK})`, 'gu');

/** Without more than one blank; a byte order mark stays one. */
const collapsed = (text) => String(text).replace(/[ \t\r\n\u{a0}]+/gu, ' ');

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: new URL('awkward-files', import.meta.url).pathname },
    only: { type: 'string', default: '' },
    entry: { type: 'string' },
    show: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});

const names = (await readdir(options.data)).toSorted();
const cases = names
  .filter((name) => name.endsWith('.expected.json') && name.includes(options.only))
  .map((name) => ({
    expected: name,
    file: names.find((other) => other.startsWith(`${name.split('.')[0]}.`) && other !== name),
  }));

const service = await ServiceProcess.start({
  settings: { LOG_LEVEL: 'error' },
  ...(options.entry === undefined ? {} : { entry: options.entry }),
});
const results = [];
try {
  const client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  const dataset = await client.createDataset('Awkward files');
  for (const one of cases) results.push(await judge(client, dataset, one));
} finally {
  await service.dispose();
}
for (const result of results) print(result);
summarize();
if (options.json !== undefined) await writeFile(options.json, JSON.stringify(results, null, 1));

async function judge(client, dataset, { expected, file }) {
  const wanted = JSON.parse(await readFile(join(options.data, expected), 'utf8'));
  const content = await readFile(join(options.data, file));
  const { status, text } = await textOf(client, dataset, { name: file, content });
  const lines = text.split(/\r?\n/).map(normal);
  const whole = normal(text);
  const holds = (part) => whole.includes(normal(part));
  const plain = collapsed(text);
  const shows = (part) => plain.includes(collapsed(part));
  const inOneLine = (parts) => lines.some((line) => parts.every((part) => line.includes(normal(part))));
  return {
    file,
    kind: wanted.kind,
    status,
    checks: [
      ...wanted.must_contain.map((part) => ({ check: 'holds', part, right: holds(part) })),
      ...wanted.must_not_contain.map((part) => ({ check: 'leaves out', part, right: !shows(part) })),
      ...wanted.must_not_join.map((parts) => ({ check: 'keeps apart', part: parts, right: !inOneLine(parts) })),
      ...(wanted.rows ?? []).map((row) => ({
        check: 'row',
        part: Object.values(row),
        right: inOneLine(Object.values(row)),
      })),
    ],
    debatable: (wanted.debatable_not_contain ?? []).map((part) => ({ part, right: !shows(part) })),
  };
}

/** The final state of an uploaded file, and its text, of an archive those of its files; empty where it has none. */
async function textOf(client, dataset, file) {
  const { id } = await client.upload(dataset, file);
  const { status, error } = await client.pollUntilTerminal(id);
  if (status !== 'completed') return { status: `${status} ${error?.code ?? ''}`, text: '' };
  const answer = await client.send('GET', `/documents/${id}/text`);
  return { status, text: answer.status === 409 ? await textOfFiles(client, dataset, id) : await client.text(id) };
}

/** The texts of the files of an archive, in the order of their paths. */
async function textOfFiles(client, dataset, archive) {
  const query = new URLSearchParams({ dataset_id: dataset, archive_id: archive, limit: '100' });
  const { items } = await client.get(`/documents/?${query}`);
  const files = items.filter(({ status }) => status === 'completed').toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const texts = [];
  for (const { id } of files) texts.push(await client.text(id));
  return texts.join('\n\n');
}

function normal(text) {
  return String(text)
    .normalize('NFKC')
    .replaceAll('\u{ad}', '')
    .replace(/[\s|]+/gu, ' ')
    .replace(BETWEEN_CJK, '')
    .trim();
}

function print({ file, status, checks }) {
  const missed = checks.filter(({ right }) => !right);
  process.stdout.write(
    `${file.padEnd(9)} ${String(checks.length - missed.length).padStart(3)} of ${String(checks.length).padEnd(3)} ${status}\n`,
  );
  if (options.show)
    for (const { check, part } of missed) process.stdout.write(`            ${check}: ${JSON.stringify(part)}\n`);
}

function summarize() {
  const share = (items, test) => {
    const right = items.filter(test).length;
    return `${right} of ${items.length} (${(right / Math.max(1, items.length)).toFixed(3)})`;
  };
  const isWhole = ({ checks }) => checks.every(({ right }) => right);
  process.stdout.write('\n');
  for (const [kind, title] of Object.entries(KINDS)) {
    const those = results.filter((result) => result.kind === kind);
    if (those.length > 0)
      process.stdout.write(
        `${title}: files ${share(those, isWhole)}, expectations ${share(
          those.flatMap(({ checks }) => checks),
          ({ right }) => right,
        )}\n`,
      );
  }
  const checks = results.flatMap((result) => result.checks);
  for (const name of ['holds', 'leaves out', 'keeps apart', 'row'])
    process.stdout.write(
      `${name}: ${share(
        checks.filter(({ check }) => check === name),
        ({ right }) => right,
      )}\n`,
    );
  process.stdout.write(
    `debatable parts left out: ${share(
      results.flatMap(({ debatable }) => debatable),
      ({ right }) => right,
    )}\n`,
  );
  process.stdout.write(`all: files ${share(results, isWhole)}, expectations ${share(checks, ({ right }) => right)}\n`);
}
