/**
 * Ten files of one office and fifty questions of those who work there, asked of the chat:
 *
 *   npm run bench:office-files -- [--data bench/office-files] [--only TEXT] [--model FOLDER] [--show] [--json FILE]
 *
 * `questions.json` holds for each question whether the files answer it, in whose words it is asked, and strings of which one is in a
 * right answer. An answer is right where it holds one of them, and buried where it does that in more than three quotations. `--model`: a
 * folder with an embedding model, else the built-in one. Exit code 0 unless the service fails.
 */
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ApiClient } from '../scripts/lib/api-client.ts';
import { ServiceProcess } from '../scripts/lib/service-process.ts';

const MOST_QUOTATIONS = 3;
const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: new URL('office-files', import.meta.url).pathname },
    only: { type: 'string', default: '' },
    model: { type: 'string' },
    show: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});
const questions = JSON.parse(await readFile(join(options.data, 'questions.json'), 'utf8')).filter(({ q }) =>
  q.includes(options.only),
);
const model =
  options.model === undefined ? {} : { EMBEDDING_PROVIDER: 'local', EMBEDDING_MODEL_PATH: resolve(options.model) };
const service = await ServiceProcess.start({
  settings: { LOG_LEVEL: 'error', ...model },
});
const results = [];
try {
  const client = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  const dataset = await client.createDataset('Office');
  for (const name of (await readdir(options.data)).toSorted()) {
    if (name === 'questions.json') continue;
    const { id } = await client.upload(dataset, { name, content: await readFile(join(options.data, name)) });
    const { status } = await client.pollUntilTerminal(id);
    if (!status.startsWith('completed')) throw new Error(`${name} ended as ${status}.`);
  }
  for (const question of questions) results.push(await ask(client, dataset, question));
} finally {
  await service.dispose();
}
if (options.show)
  for (const { outcome, q, answer } of results) process.stdout.write(`${outcome.padEnd(8)} ${q}\n         ${answer}\n`);
const groups = {
  'own words': ({ answerable, own_words: own }) => answerable && own,
  'words of the files': ({ answerable, own_words: own }) => answerable && !own,
  'another language': ({ answerable, lang, doc_lang: other }) => answerable && lang !== other,
  'all that they answer': ({ answerable }) => answerable,
  'near misses': ({ answerable }) => !answerable,
};
for (const [name, isOf] of Object.entries(groups)) {
  const those = results.filter(isOf);
  const counts = ['right', 'buried', 'wrong', 'refused'].map(
    (kind) => `${kind} ${those.filter(({ outcome }) => outcome === kind).length}`,
  );
  const first = those.filter(({ rank }) => rank !== null && rank <= 3).length;
  process.stdout.write(
    `${name.padEnd(22)} ${String(those.length).padStart(3)}: ${counts.join(', ')}; passage among the first three ${first}\n`,
  );
}
if (options.json !== undefined) await writeFile(options.json, JSON.stringify(results, null, 1));

async function ask(client, dataset, question) {
  const body = { messages: [{ role: 'user', content: question.q }], dataset_ids: [dataset] };
  const { choices, refusal } = await client.post('/chat/completions', body);
  const { results: found } = await client.search(question.q, [dataset]);
  const answer = choices[0].message.content.replace(/\s+/g, ' ');
  const holds = (text) => question.gold.some((gold) => plain(text).includes(plain(gold)));
  const at = found.findIndex(({ text, document_name: name }) => name === question.file && holds(text));
  return { ...question, answer, outcome: outcomeOf(answer, refusal, question, holds), rank: at < 0 ? null : at + 1 };
}

function outcomeOf(answer, refusal, { answerable }, holds) {
  if (refusal !== null && refusal !== undefined) return 'refused';
  if (!answerable || !holds(answer)) return 'wrong';
  return (answer.match(/\[\d+\]/g) ?? []).length > MOST_QUOTATIONS ? 'buried' : 'right';
}

function plain(text) {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');
}
