/**
 * How many questions over tables the rules answer rightly:
 *
 *   npm run bench:tables -- --corpus DATA/wtq [--held-out | --together]
 *
 * DATA holds the folders `wtq` and `files`. Files are parsed in this process, and each question is put to the tables of its file. Without
 * `--held-out` the development half of `wtq` is asked: of its ten tables, by file name, the first, third, fifth, seventh and ninth; every
 * question is shown. With it the other five and the 60 questions of `questions.jsonl` are asked, of which figures alone are shown, and the
 * run is written to `held-out-runs.txt`: the rules are never made by looking at these. With `--together` each question of the development
 * half is put to the tables of all its files, as in a dataset that holds them all.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

// The sources name each other by the names they have once compiled.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.includes('/node_modules/') !== true
      ? next(`${specifier.slice(0, -3)}.ts`, context)
      : next(specifier, context),
});
const { isSameAnswer } = await import('./compare-answers.js');
const { QuestionTables } = await import('./question-tables.js');

interface Question {
  readonly file: string;
  readonly sheet: string | null;
  readonly question: string;
  readonly answers: readonly string[];
  readonly kind: string;
}

interface Count {
  asked: number;
  answered: number;
  right: number;
}

const { values } = parseArgs({
  options: {
    corpus: { type: 'string' },
    'held-out': { type: 'boolean', default: false },
    together: { type: 'boolean', default: false },
  },
});
const { corpus, 'held-out': isHeldOut } = values;
if (values.together && isHeldOut) throw new Error('--together is for the development half.');
if (corpus === undefined) throw new Error('--corpus is missing: the folder wtq.');

const here = import.meta.dirname;
const all = readLines<Omit<Question, 'kind' | 'sheet'>>(join(corpus, 'questions.jsonl'));
const files = [...new Set(all.map(({ file }) => file))].toSorted();
const asked = new Set(files.filter((_, index) => (index % 2 === 1) === isHeldOut));
const ofWiki = all
  .filter(({ file }) => asked.has(file))
  .map((each): Question => ({
    ...each,
    file: join(corpus, 'csv', each.file),
    sheet: null,
    kind: kindOf(each.question),
  }));
await measure(`wtq, ${isHeldOut ? 'tables kept aside' : 'development tables'}`, ofWiki);
if (isHeldOut) {
  const own = readLines<Question & { table_file: string }>(join(here, 'questions.jsonl'));
  const placed = own.map((each) => ({
    ...each,
    file: join(each.table_file.startsWith('own/') ? here : dirname(corpus.replace(/\/$/, '')), each.table_file),
  }));
  await measure('questions.jsonl', placed);
}

async function measure(name: string, questions: readonly Question[]): Promise<void> {
  const total: Count = { asked: 0, answered: 0, right: 0 };
  const kinds = new Map<string, Count>();
  const placeOf = ({ file, sheet }: Question): string => (values.together ? '' : `${file} ${sheet}`);
  for (const [, group] of Map.groupBy(questions, placeOf)) {
    const tables = await QuestionTables.read([...new Set(group.map(({ file }) => file))], group[0]!.sheet);
    for (const question of group) {
      const { reading, rows } = await tables.ask(question.question);
      const inOrder = question.kind === 'order' || question.kind === 'top';
      const isRight = rows === undefined ? undefined : isSameAnswer(rows, question.answers, inOrder);
      // No answer is the answer where nothing is to be found.
      const isRightRefusal = rows === undefined && question.answers.length === 0;
      const kind = kinds.get(question.kind) ?? { asked: 0, answered: 0, right: 0 };
      kinds.set(question.kind, kind);
      for (const count of [total, kind]) {
        count.asked += 1;
        if (rows !== undefined || isRightRefusal) count.answered += 1;
        if (isRight === true || isRightRefusal) count.right += 1;
      }
      if (isHeldOut) continue;
      console.log(
        `${isRight === undefined ? 'none ' : isRight ? 'right' : 'WRONG'} ${question.question} ${JSON.stringify(question.answers)}`,
      );
      console.log(`      ${reading?.confidence ?? ''} ${reading?.sql ?? ''} ${JSON.stringify(rows) ?? ''}`);
    }
  }
  console.log(`\n${name}`);
  for (const [kind, count] of [...kinds].toSorted(([a], [b]) => (a < b ? -1 : 1))) console.log(lineOf(kind, count));
  console.log(lineOf('all', total));
  const { right, answered } = total;
  if (isHeldOut)
    appendFileSync(join(here, 'held-out-runs.txt'), `${new Date().toISOString()} ${lineOf(name, total)}\n`);
  if (right / total.asked < 0.25 || right / Math.max(1, answered) < 0.7) process.exitCode = 1;
}

function lineOf(name: string, { asked: questions, answered, right }: Count): string {
  const share = (part: number, whole: number): string => (whole === 0 ? '–' : (part / whole).toFixed(2));
  return `${name}: ${questions} asked, ${answered} answered, ${right} right: ${share(right, questions)} of all, ${share(right, answered)} of those answered`;
}

function kindOf(question: string): string {
  const text = question.toLowerCase();
  if (/\b(?:difference|how many more|how many less|how much more)\b/.test(text)) return 'difference';
  if (/\b(?:next|previous|before|after)\b/.test(text)) return 'previous_next';
  if (/\bor\b/.test(text)) return 'comparison';
  if (/\bhow many|number of|how often\b/.test(text)) return 'count';
  if (/\b(?:total|sum|average|combined)\b/.test(text)) return 'sum';
  if (/\b(?:most|least|first|last|\w+est)\b/.test(text)) return 'top';
  return /^(?:is|are|was|were|do|does|did|has|have|had)\b/.test(text) ? 'yes_no' : 'lookup';
}

function readLines<T>(path: string): T[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);
}
