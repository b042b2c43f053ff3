/**
 * How much of the evidence the chunks of each strategy bring back, and how little else:
 *
 *   npm run bench:chunking -- --corpus DIR [--top 5] [--json FILE]
 *
 * DIR holds `corpora/*.md` and `questions.jsonl`: a question with the corpus that answers it and its evidence, `references`
 * with `start_index` and `end_index` in code points. All corpora are chunked together; each question is ranked over all chunks as
 * the service ranks (BM25 and hashed vectors), in this process and with every chunk as a candidate. Of the first chunks are
 * counted, by character: recall (share of the evidence in them), precision (share of evidence in them) and IoU (evidence in
 * them beside all that is in them or in the evidence). "perfect" is the IoU of exactly the chunks that hold evidence.
 *
 * The strategies are compared with a recursive character splitter of 1,400, 1,600 and 1,800 characters, at as many tokens as
 * these are at 4 characters a token. The exit code is 1 when `recursive` or `markdown` is not above it in recall and in IoU, at
 * 1,600 characters (beside the splitter without overlap and with 200 characters of it) and in the mean over the sizes.
 * `parent_child` is shown twice: its chunks, and the parents of the first of them.
 */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  KeywordScorer,
  TermStatistics,
  analyzeQuery,
  compareScored,
  encodeChunk,
  fuseByReciprocalRank,
  summarizeTerms,
} from '#libs/ranking';
import { chunkBlocks } from '#libs/text';
import { HashingEmbedder } from '../dist/libs/ai/src/builtin/hashing-embedder.js';
import { HASHED_VECTOR_WEIGHT } from '../dist/src/modules/retrieval/request/search-options.js';
import { readCorpora, segmentsOf, unitsOfCodePoints } from './lib/markdown-corpora.mjs';
import { lengthOf, meanOf, overlapOf, sumOf, union } from './lib/ranges.mjs';
import { splitRecursively } from './lib/recursive-splitter.mjs';

const SIZES = [1_400, 1_600, 1_800];
const MAIN_SIZE = 1_600;
const OVERLAP = 200;
const CHARACTERS_PER_TOKEN = 4;
/** Strategies that must be above the splitter. */
const MUST_WIN = ['recursive', 'markdown'];
const OTHERS = ['section', 'sentence', 'parent_child'];
const CANDIDATES = 200;

const { values: given } = parseArgs({
  options: { corpus: { type: 'string' }, top: { type: 'string', default: '5' }, json: { type: 'string' } },
});
if (given.corpus === undefined) throw new Error('usage: bench/chunking.mjs --corpus DIR [--top 5] [--json FILE]');
const top = Number(given.top);
const embedder = new HashingEmbedder();
const corpora = readCorpora(join(given.corpus, 'corpora'));
const questions = await readQuestions(join(given.corpus, 'questions.jsonl'));

const results = [];
for (const size of SIZES) {
  results.push(await measureSplitter(size, 0));
  for (const strategy of MUST_WIN) results.push(await measureStrategy(strategy, size, 0));
}
results.push(await measureSplitter(MAIN_SIZE, OVERLAP));
for (const strategy of MUST_WIN) results.push(await measureStrategy(strategy, MAIN_SIZE, OVERLAP));
for (const strategy of OTHERS) results.push(await measureStrategy(strategy, MAIN_SIZE, 0));
results.push(await measureStrategy('parent_child', MAIN_SIZE, 0, true));
results.push(await measure('recursive, default', (corpus) => chunksOf(corpus, {})));
printTable(results);
if (given.json !== undefined) await writeFile(given.json, `${JSON.stringify(results, null, 2)}\n`);
for (const strategy of MUST_WIN) for (const complaint of complaintsOf(strategy)) fail(complaint);

function fail(complaint) {
  process.stderr.write(`${complaint}\n`);
  process.exitCode = 1;
}

/** What the strategy is not above the splitter in. */
function complaintsOf(strategy) {
  const sized = (what, size, overlap) =>
    results.find((one) => one.what === what && one.size === size && one.overlap === overlap && !one.asParents);
  const sum = (what, key) => SIZES.reduce((total, size) => total + sized(what, size, 0)[key], 0);
  const main = sized(strategy, MAIN_SIZE, 0);
  return ['recall', 'iou'].flatMap((key) => [
    ...[0, OVERLAP]
      .filter((overlap) => main[key] <= sized('splitter', MAIN_SIZE, overlap)[key])
      .map((overlap) => `${main.name} is not above the splitter with overlap ${overlap} in ${key}.`),
    ...(sum(strategy, key) > sum('splitter', key) ? [] : [`${strategy} is not above the splitter in the mean ${key}.`]),
  ]);
}

async function readQuestions(path) {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const offsets = new Map(corpora.map(({ name, text }) => [name, unitsOfCodePoints(text)]));
  const read = lines.map((line) => JSON.parse(line));
  const vectors = [];
  for (let at = 0; at < read.length; at += 256) {
    const texts = read.slice(at, at + 256).map(({ text }) => text);
    vectors.push(...(await embedder.embed(texts, 'query')).vectors);
  }
  return read.map(({ text, corpus, references }, index) => {
    const units = offsets.get(corpus);
    const evidence = references.map((one) => ({ start: units[one.start_index], end: units[one.end_index] }));
    return { terms: analyzeQuery(text), vector: vectors[index], corpus, evidence: union(evidence) };
  });
}

async function measureSplitter(size, overlap) {
  const split = ({ text }) => splitRecursively(text, { size, overlap }).map((range) => ({ ...range, headingPath: [] }));
  return { ...(await measure(`splitter ${size}/${overlap}`, split)), what: 'splitter', size, overlap };
}

async function measureStrategy(strategy, size, overlap, asParents = false) {
  const options = {
    strategy,
    chunk_size: size / CHARACTERS_PER_TOKEN,
    chunk_overlap: overlap / CHARACTERS_PER_TOKEN,
  };
  const name = `${strategy} ${options.chunk_size}/${options.chunk_overlap}${asParents ? ', parents' : ''}`;
  const figures = await measure(name, (corpus) => chunksOf(corpus, options), asParents);
  return { ...figures, what: strategy, size, overlap, asParents };
}

async function chunksOf({ text, blocks }, options) {
  const chunks = [];
  for await (const chunk of chunkBlocks(segmentsOf(text, blocks), options)) chunks.push(chunk);
  return chunks;
}

async function measure(name, chunk, asParents = false) {
  const started = performance.now();
  const perCorpus = await Promise.all(corpora.map(chunk));
  const ms = performance.now() - started;
  const chunks = await indexChunks(perCorpus);
  const statistics = new TermStatistics();
  for (const { terms } of chunks) statistics.add(summarizeTerms([terms]));
  const shown = asParents ? parentsOf(chunks) : chunks;
  const scored = questions.map((question) => {
    const ranked = rank(question, chunks, statistics);
    return score(question, shown, asParents ? parentsOf(ranked) : ranked);
  });
  const mean = (key) => meanOf(scored, (one) => one[key]);
  return {
    name,
    chunks: chunks.length,
    meanLength: meanOf(chunks, lengthOf),
    recall: mean('recall'),
    precision: mean('precision'),
    iou: mean('iou'),
    perfect: mean('perfect'),
    chunkingMs: ms,
  };
}

async function indexChunks(perCorpus) {
  const chunks = [];
  for (const [number, { name, text }] of corpora.entries()) {
    for (const { start, end, headingPath, parent } of perCorpus[number]) {
      const body = text.slice(start, end);
      const { terms } = encodeChunk({ text: body, title: name, headings: headingPath });
      const embedded = headingPath.length === 0 ? body : `${headingPath.join(' > ')}\n${body}`;
      const [vector] = (await embedder.embed([embedded], 'document')).vectors;
      chunks.push({
        id: `${name}:${chunks.length}`,
        documentId: name,
        ordinal: chunks.length,
        corpus: name,
        start,
        end,
        parent,
        terms,
        vector,
      });
    }
  }
  return chunks;
}

function rank({ terms, vector }, chunks, statistics) {
  const scorer = new KeywordScorer(terms, statistics);
  const list = (scoreOf) =>
    chunks
      .map((item) => ({ item, score: scoreOf(item) }))
      .filter(({ score: own }) => own > 0)
      .sort(compareScored)
      .slice(0, CANDIDATES);
  const keyword = list((item) => scorer.score(item.terms));
  const similar = list((item) => dot(vector, item.vector));
  const weights = [1 - HASHED_VECTOR_WEIGHT, HASHED_VECTOR_WEIGHT];
  return fuseByReciprocalRank([keyword, similar], { weights }).map(({ item }) => item);
}

/** The parents of the chunks, each once. */
function parentsOf(ranked) {
  const parents = new Map(ranked.map(({ corpus, parent }) => [`${corpus}:${parent.start}`, { corpus, ...parent }]));
  return [...parents.values()];
}

function dot(a, b) {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at] * b[at];
  return sum;
}

function score({ corpus, evidence }, chunks, ranked) {
  const first = ranked.slice(0, top);
  const found = sumOf(union(first.flatMap((chunk) => (chunk.corpus === corpus ? overlapOf(chunk, evidence) : []))));
  const shown = sumOf(first);
  const all = sumOf(evidence);
  const holders = chunks.filter((chunk) => chunk.corpus === corpus && overlapOf(chunk, evidence).length > 0);
  return {
    recall: found / all,
    precision: shown === 0 ? 0 : found / shown,
    iou: found / (shown + all - found),
    perfect: all / sumOf(union(holders)),
  };
}

function printTable(rows) {
  const percent = (share) => `${(share * 100).toFixed(2)} %`;
  const lines = rows.map(({ name, chunks, meanLength, recall, precision, iou, perfect, chunkingMs }) => [
    name,
    String(chunks),
    meanLength.toFixed(0),
    percent(recall),
    percent(precision),
    percent(iou),
    percent(perfect),
    chunkingMs.toFixed(0),
  ]);
  const head = [
    'chunks of',
    'number',
    'mean length',
    `recall@${top}`,
    `precision@${top}`,
    `IoU@${top}`,
    'perfect IoU',
    'ms',
  ];
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((line) => line[column].length)));
  for (const line of [head, ...lines]) {
    console.log(
      line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('  '),
    );
  }
}
