/**
 * How often a table would answer a question that is none of its own:
 *
 *   npm run bench:table-answers -- --data DIR
 *
 * DIR holds `wtq`, `xquad` and `chunking_eval`. Every question of the English articles and of the long texts is put to every table of the
 * development half of `wtq` and of `own`, as chats put them. None of these tables has the answer: whatever is read with the confidence
 * from which on tables answer, and gives rows that could be cited, is wrong.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';

// The sources name each other by the names they have once compiled.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.includes('/node_modules/') !== true
      ? next(`${specifier.slice(0, -3)}.ts`, context)
      : next(specifier, context),
});
const { QuestionTables } = await import('./question-tables.js');
const { isAboutTable } = await import('../../src/modules/tables/testing/question-rules.js');
const { TABLE_CONFIDENCE, TABLE_CONFIDENCE_BESIDE_PROSE } =
  await import('../../src/modules/chat/testing/table-confidence.js');

const { values } = parseArgs({ options: { data: { type: 'string' } } });
if (values.data === undefined) throw new Error('--data is missing: the folder with wtq, xquad and chunking_eval.');
const { data } = values;

const csv = join(data, 'wtq', 'csv');
const development = readdirSync(csv)
  .toSorted()
  .filter((_, index) => index % 2 === 0)
  .map((file) => join(csv, file));
const own = readdirSync(join(import.meta.dirname, 'own'))
  .filter((file) => file.endsWith('.csv'))
  .map((file) => join(import.meta.dirname, 'own', file));
const tables = await Promise.all(
  [...development, ...own].map(async (file) => ({ file, tables: await QuestionTables.read([file]) })),
);
const questions = ['xquad/en/queries.jsonl', 'chunking_eval/questions.jsonl'].flatMap((file) =>
  readTexts(join(data, file)),
);

let [alone, beside] = [0, 0];
for (const question of questions) {
  let most = 0;
  let isClear = false;
  for (const { file, tables: one } of tables) {
    const { reading, rows = [] } = await one.ask(question);
    const hasValues = rows.some((row) => row.some((cell) => cell !== null && String(cell) !== '0'));
    if (reading === undefined || !hasValues || !isAboutTable(question, reading.query)) continue;
    if (reading.confidence < TABLE_CONFIDENCE) continue;
    most = Math.max(most, reading.confidence);
    isClear ||= reading.confidence >= TABLE_CONFIDENCE_BESIDE_PROSE && reading.unexplained.length === 0;
    console.log(
      `${reading.confidence} ${basename(file)} ${question}\n      ${reading.sql} ${JSON.stringify(rows.slice(0, 3))}`,
    );
  }
  if (most > 0) alone += 1;
  if (isClear) beside += 1;
}
console.log(`${questions.length} questions, ${tables.length} tables`);
console.log(`${alone} would be answered from a table where no prose answers them, ${beside} also where prose does`);
if (alone > questions.length * 0.01 || beside > questions.length * 0.002) process.exitCode = 1;

function readTexts(path: string): string[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { text: string }).text);
}
