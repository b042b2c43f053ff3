/**
 * BM25 with the language's Snowball stemmer (the packages bm25s and PyStemmer, as they come: k1 1.5, b 0.75, no stop words): what the
 * service's ranking has to beat on every collection. Words are those of `Intl.Segmenter`, which knows where they end in Chinese and Thai.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { preparePython } from '../../scripts/lib/python-environment.mjs';

const PROGRAM = fileURLToPath(new URL('./bm25.py', import.meta.url));
const PACKAGES = ['bm25s==0.3.*', 'PyStemmer==3.*'];
const MAX_OUTPUT = 512 * 1024 * 1024;
/** By language code; a language that is not here, such as Chinese and Thai, has no stemmer. */
const STEMMERS = {
  ar: 'arabic',
  de: 'german',
  en: 'english',
  es: 'spanish',
  fr: 'french',
  ru: 'russian',
  tr: 'turkish',
};

/** For each query the ids of the first `depth` documents, best first. */
export async function rankByBm25(documents, queries, language, depth) {
  const python = await preparePython('bm25', PACKAGES);
  const words = wordsIn(language);
  const input = {
    documents: documents.map(({ text }) => words(text)),
    queries: queries.map(({ text }) => words(text)),
    stemmer: STEMMERS[language] ?? null,
    depth,
  };
  const ranked = JSON.parse(await runPython(python, JSON.stringify(input)));
  return ranked.map((numbers) => numbers.map((number) => documents[number].id));
}

function wordsIn(language) {
  const segmenter = new Intl.Segmenter(language, { granularity: 'word' });
  return (text) =>
    [...segmenter.segment(text.toLocaleLowerCase(language))]
      .filter(({ isWordLike }) => isWordLike)
      .map(({ segment }) => segment);
}

async function runPython(python, input) {
  const running = promisify(execFile)(python, [PROGRAM], { maxBuffer: MAX_OUTPUT });
  running.child.stdin.end(input);
  return (await running).stdout;
}
