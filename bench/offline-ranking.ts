/**
 * Keyword ranking over folders in BEIR layout (corpus.jsonl, queries.jsonl, qrels.tsv or qrels/test.tsv), in memory and
 * without the service: what the analysis and the formulas of libs/ranking reach when every document is a candidate.
 *
 *   node --conditions=source --experimental-transform-types bench/offline-ranking.ts FOLDER…
 *
 * Prints nDCG@10, R@10, R@100 and MRR@10 of each leg alone and of all together, nDCG@10 of all also for every other question (what
 * is decided by the odd ones can be checked by the even ones), then speeds. A document is one chunk: its
 * title and its text; the title is also given as such unless the text begins with it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import type { EncodedTerms, QueryTerms, TermContribution } from '#libs/ranking';

// The sources name each other by the names they have once compiled.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('.') && specifier.endsWith('.js') && !context.parentURL?.includes('/node_modules/')
      ? next(`${specifier.slice(0, -3)}.ts`, context)
      : next(specifier, context),
});
const ranking = await import('#libs/ranking');
const metrics = await import('../src/modules/evaluations/testing/metrics.js');

interface Judged {
  id: string;
  query: string;
  relevant: Map<string, number>;
}

function readLines<T>(path: string): T[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T);
}

function readJudged(folder: string): Judged[] {
  const flat = join(folder, 'qrels.tsv');
  const relevant = new Map<string, Map<string, number>>();
  const lines = readFileSync(existsSync(flat) ? flat : join(folder, 'qrels', 'test.tsv'), 'utf8').split('\n');
  for (const line of lines.slice(1)) {
    const [query, document, grade] = line.trim().split('\t');
    if (query === undefined || document === undefined) continue;
    relevant.set(query, (relevant.get(query) ?? new Map<string, number>()).set(document, Number(grade)));
  }
  return readLines<{ _id: string; text: string }>(join(folder, 'queries.jsonl')).flatMap(({ _id, text: query }) => {
    const grades = relevant.get(_id);
    return grades === undefined ? [] : [{ id: _id, query, relevant: grades }];
  });
}

interface Corpus {
  chunks: { id: string; terms: EncodedTerms }[];
  bytes: number;
  encodedBytes: number;
  analysisMs: number;
  encodingMs: number;
}

function readCorpus(folder: string): Corpus {
  const corpus: Corpus = { chunks: [], bytes: 0, encodedBytes: 0, analysisMs: 0, encodingMs: 0 };
  for (const document of readLines<{ _id: string; title?: string; text: string }>(join(folder, 'corpus.jsonl'))) {
    const title = document.title ?? '';
    const plain = (value: string): string => value.replace(/\s+/g, ' ').trim();
    const isRepeated = plain(document.text).startsWith(plain(title));
    const body = title === '' ? document.text : `${title}\n${document.text}`;
    const started = performance.now();
    const terms = ranking.analyzeChunk({ text: body, title: isRepeated ? '' : title });
    const analysed = performance.now();
    const encoded = ranking.encodeTerms(terms);
    corpus.encodingMs += performance.now() - analysed;
    corpus.analysisMs += analysed - started;
    corpus.bytes += Buffer.byteLength(body);
    corpus.encodedBytes += encoded.length;
    corpus.chunks.push({ id: document._id, terms: ranking.decodeTerms(encoded) });
  }
  return corpus;
}

type Score = (contributions: TermContribution[]) => number;
const sumOf =
  (leg?: string): Score =>
  (contributions) =>
    contributions.reduce((sum, entry) => (leg === undefined || entry.leg === leg ? sum + entry.score : sum), 0);

function rank(
  corpus: Corpus,
  query: QueryTerms,
  statistics: InstanceType<typeof ranking.TermStatistics>,
  score?: Score,
): string[] {
  const scorer = new ranking.KeywordScorer(query, statistics);
  return corpus.chunks
    .map(({ id, terms }) => ({
      item: { id, documentId: id, ordinal: 0 },
      score: score === undefined ? scorer.score(terms) : score(scorer.explain(terms)),
    }))
    .filter((entry) => entry.score > 0)
    .sort(ranking.compareScored)
    .slice(0, 100)
    .map(({ item }) => item.id);
}

function report(name: string, judged: readonly Judged[], ranked: readonly string[][]): void {
  const mean = (metric: (ids: string[], relevant: Map<string, number>) => number): string =>
    (judged.reduce((sum, { relevant }, index) => sum + metric(ranked[index]!, relevant), 0) / judged.length).toFixed(4);
  const figures = {
    'nDCG@10': mean((ids, relevant) => metrics.ndcgAt(ids, relevant, 10)),
    'R@10': mean((ids, relevant) => metrics.recallAt(ids, relevant, 10)),
    'R@100': mean((ids, relevant) => metrics.recallAt(ids, relevant, 100)),
    'MRR@10': mean((ids, relevant) => metrics.reciprocalRankAt(ids, relevant, 10)),
  };
  const columns = Object.entries(figures).map(([label, value]) => `${label} ${value}`);
  console.log(`  ${name.padEnd(8)} ${columns.join('  ')}`);
}

/** nDCG@10 of the first, third … and of the second, fourth … question. */
function reportHalves(judged: readonly Judged[], ranked: readonly string[][]): void {
  const meanOf = (rest: number): string => {
    const half = judged.flatMap(({ relevant }, index) =>
      index % 2 === rest ? [metrics.ndcgAt(ranked[index]!, relevant, 10)] : [],
    );
    return (half.reduce((sum, value) => sum + value, 0) / half.length).toFixed(4);
  };
  console.log(`  nDCG@10 of the odd questions ${meanOf(0)}, of the even ones ${meanOf(1)}`);
}

function benchFolder(folder: string): void {
  console.log(folder);
  const corpus = readCorpus(folder);
  const judged = readJudged(folder);
  const statistics = new ranking.TermStatistics();
  for (const { terms } of corpus.chunks) statistics.add(ranking.summarizeTerms([terms]));
  const queries = judged.map(({ query }) => ranking.analyzeQuery(query));
  for (const leg of ranking.LEGS) {
    report(
      leg,
      judged,
      queries.map((query) => rank(corpus, query, statistics, sumOf(leg))),
    );
  }
  const started = performance.now();
  const ranked = queries.map((query) => rank(corpus, query, statistics));
  const perQuery = (performance.now() - started) / queries.length;
  report('all', judged, ranked);
  reportHalves(judged, ranked);
  const speed = (ms: number): string => `${(corpus.bytes / 1000 / ms).toFixed(1)} MB/s`;
  console.log(
    `  analysis ${speed(corpus.analysisMs)}, encoding ${speed(corpus.encodingMs)}, ` +
      `${((corpus.encodedBytes / corpus.bytes) * 100).toFixed(0)} % of the text, ` +
      `${perQuery.toFixed(2)} ms a query over ${corpus.chunks.length} chunks`,
  );
}

const folders = process.argv.slice(2);
if (folders.length === 0) throw new Error('usage: offline-ranking.ts FOLDER…');
for (const folder of folders) benchFolder(folder);
