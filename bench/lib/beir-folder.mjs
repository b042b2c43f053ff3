/** A retrieval collection in BEIR layout: corpus.jsonl, queries.jsonl and qrels.tsv or qrels/test.tsv (with a header line). */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * @typedef {{ id: string, text: string }} CorpusDocument `text` is the title, a line break and the text
 * @typedef {{ id: string, text: string, relevant: Map<string, number> }} JudgedQuery grades by document id
 * @typedef {{ name: string, documents: CorpusDocument[], queries: JudgedQuery[] }} Collection queries that are judged, in file order
 */

/** @returns {Promise<Collection>} */
export async function readCollection(folder) {
  const path = resolve(folder);
  const documents = (await readLines(join(path, 'corpus.jsonl'))).map(({ _id, title, text }) => ({
    id: String(_id),
    text: title ? `${title}\n${text ?? ''}` : (text ?? ''),
  }));
  const relevant = await readJudgements(path);
  const queries = (await readLines(join(path, 'queries.jsonl')))
    .map(({ _id, text }) => ({ id: String(_id), text, relevant: relevant.get(String(_id)) }))
    .filter((query) => query.relevant !== undefined);
  if (documents.length === 0 || queries.length === 0) throw new Error(`${folder}: no documents or no judged queries`);
  return { name: `${basename(dirname(path))}/${basename(path)}`, documents, queries };
}

async function readLines(path) {
  const text = await readFile(path, 'utf8');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
}

async function readJudgements(folder) {
  const flat = join(folder, 'qrels.tsv');
  const text = await readFile(existsSync(flat) ? flat : join(folder, 'qrels', 'test.tsv'), 'utf8');
  const relevant = new Map();
  for (const line of text.split('\n').slice(1)) {
    const [query, document, grade] = line.trim().split('\t');
    if (query === undefined || document === undefined) continue;
    relevant.set(query, (relevant.get(query) ?? new Map()).set(document, Number(grade)));
  }
  return relevant;
}
