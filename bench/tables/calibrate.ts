/**
 * How often readings are right, by how well they fit:
 *
 *   npm run bench:tables-calibration -- --corpus DATA/wtq [--write]
 *
 * The points of `calibration.data.ts` are fitted on the odd questions of both halves of `wtq` and of `questions.jsonl`, and judged on the even
 * ones; only figures are shown. These are few, and rules were made while some of them were seen, so each bin begins with what was measured before
 * over tables that no one had seen (`BEFORE`), as if it were `WEIGHT` questions. Neighbouring bins that are out of order are joined.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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

/** Fits from `from` on; `before`: the share of right ones among 200 answers before words without a place were refused, of which 126 had ≈ .9 and 74 ≈ .8. */
const BINS = [
  { from: 0.6, before: 39 / 74 },
  { from: 0.75, before: 39 / 74 },
  { from: 0.85, before: 98 / 126 },
  { from: 0.92, before: 98 / 126 },
] as const;
const WEIGHT = 10;

interface Outcome {
  readonly isOdd: boolean;
  readonly fit: number;
  readonly confidence: number;
  readonly isRight: boolean;
}

interface Block {
  weight: number;
  share: number;
  fit: number;
}

const { values } = parseArgs({ options: { corpus: { type: 'string' }, write: { type: 'boolean', default: false } } });
const { corpus } = values;
if (corpus === undefined) throw new Error('--corpus is missing: the folder wtq.');
const here = import.meta.dirname;

const outcomes = [...(await outcomesOf(readWiki(corpus))), ...(await outcomesOf(readOwn(corpus)))];
const points = fitPoints(outcomes.filter(({ isOdd }) => isOdd));
if (values.write) writePoints(points);
for (const [name, isOdd] of [
  ['odd, fitted on', true],
  ['even, judged on', false],
] as const)
  report(
    name,
    outcomes.filter((outcome) => outcome.isOdd === isOdd),
  );

interface Asked {
  readonly file: string;
  readonly sheet: string | null;
  readonly question: string;
  readonly answers: readonly string[];
  readonly kind?: string;
}

async function outcomesOf(questions: readonly Asked[]): Promise<Outcome[]> {
  const order = new Map(questions.map((question, index) => [question, index]));
  const found: Outcome[] = [];
  for (const group of Map.groupBy(questions, ({ file, sheet }) => `${file} ${sheet}`).values()) {
    if (!existsSync(group[0]!.file)) {
      console.log(`${group[0]!.file} is not there: ${group.length} questions left out`);
      continue;
    }
    const tables = await QuestionTables.read([group[0]!.file], group[0]!.sheet);
    for (const question of group) {
      const { reading, fit, rows } = await tables.ask(question.question);
      if (reading === undefined || rows === undefined) continue;
      const inOrder = question.kind === 'order' || question.kind === 'top';
      const isRight = isSameAnswer(rows, question.answers, inOrder);
      found.push({ isOdd: order.get(question)! % 2 === 0, fit, confidence: reading.confidence, isRight });
    }
  }
  return found;
}

/** Pool adjacent violators over the bins. */
function fitPoints(odd: readonly Outcome[]): (readonly [number, number])[] {
  const blocks: Block[] = [];
  for (const [index, { from, before }] of BINS.entries()) {
    const own = odd.filter(({ fit }) => fit >= from && fit < (BINS[index + 1]?.from ?? Infinity));
    const right = own.filter(({ isRight }) => isRight).length;
    const weight = own.length + WEIGHT;
    const middle = own.length === 0 ? from : own.reduce((sum, { fit }) => sum + fit, 0) / own.length;
    blocks.push({ weight, share: (right + before * WEIGHT) / weight, fit: middle });
    while (blocks.length > 1 && blocks.at(-2)!.share > blocks.at(-1)!.share) joinLast(blocks);
  }
  const rising = blocks.map(({ fit, share }): readonly [number, number] => [round(fit), round(share)]);
  // Readings keep their order: beyond the last point the line goes on to a certainty that none has.
  return [[0, 0], ...rising, [1, round(Math.min(0.98, rising.at(-1)![1] + 0.02))]];
}

function joinLast(blocks: Block[]): void {
  const [low, high] = blocks.splice(-2) as [Block, Block];
  const weight = low.weight + high.weight;
  const mean = (key: 'share' | 'fit'): number => (low[key] * low.weight + high[key] * high.weight) / weight;
  blocks.push({ weight, share: mean('share'), fit: mean('fit') });
}

function report(name: string, all: readonly Outcome[]): void {
  console.log(`\n${name}: fit | answers | right | mean confidence`);
  for (const [index, { from }] of BINS.entries()) {
    const to = BINS[index + 1]?.from;
    const own = all.filter(({ fit }) => fit >= from && fit < (to ?? Infinity));
    const right = own.filter(({ isRight }) => isRight).length;
    const mean = own.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, own.length);
    console.log(`${from.toFixed(2)}–${(to ?? 1).toFixed(2)} | ${own.length} | ${right} | ${mean.toFixed(2)}`);
  }
}

function writePoints(fitted: readonly (readonly [number, number])[]): void {
  const lines = fitted.map(([fit, share]) => `  [${fit}, ${share}],`).join('\n');
  const text = `/** How well a reading fits, and how often such readings are right. Written by bench/tables/calibrate.ts from odd questions of WikiTableQuestions and bench/tables. */
export const CALIBRATION: readonly (readonly [fit: number, share: number])[] = [
${lines}
];
`;
  writeFileSync(join(here, '../../src/modules/tables/question-rules/calibration.data.ts'), text);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function readWiki(folder: string): Asked[] {
  const all = readLines<Omit<Asked, 'sheet'>>(join(folder, 'questions.jsonl'));
  return all.map((each) => ({ ...each, file: join(folder, 'csv', each.file), sheet: null }));
}

function readOwn(folder: string): Asked[] {
  const own = readLines<Asked & { table_file: string }>(join(here, 'questions.jsonl'));
  return own.map((each) => ({
    ...each,
    file: join(each.table_file.startsWith('own/') ? here : dirname(folder.replace(/\/$/, '')), each.table_file),
  }));
}

function readLines<T>(path: string): T[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);
}
