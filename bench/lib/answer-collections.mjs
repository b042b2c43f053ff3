/** Collections of documents with questions whose answers are known, as bench/answers.mjs asks them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCorpora, unitsOfCodePoints } from './markdown-corpora.mjs';

/**
 * @typedef {{ id: string, group: string, text: string, blocks?: object[] }} AnswerDocument `group` is the article or book it is part of
 * @typedef {{ id: string, text: string, group: string, number: number, answers?: string[], evidence?: { document: string, start: number, end: number }[] }} AnswerQuestion
 *   `number` counts from 1; `evidence` is in UTF-16 code units of the document
 * @typedef {{ name: string, documents: AnswerDocument[], questions: AnswerQuestion[] }} AnswerCollection
 */

/** Long texts with the passages that answer: `corpora/*.md`, `questions.jsonl`. @returns {AnswerCollection} */
export function readLongTexts(folder) {
  const documents = readCorpora(join(folder, 'corpora')).map((corpus) => ({
    ...corpus,
    id: corpus.name,
    group: corpus.name,
  }));
  const units = new Map(documents.map(({ id, text }) => [id, unitsOfCodePoints(text)]));
  const questions = readLines(join(folder, 'questions.jsonl')).map(({ _id, text, corpus, references }, index) => ({
    id: _id,
    text,
    group: corpus,
    number: index + 1,
    evidence: references.map(({ start_index: start, end_index: end }) => ({
      document: corpus,
      start: units.get(corpus)[start],
      end: units.get(corpus)[end],
    })),
  }));
  return { name: 'chunking_eval', documents, questions };
}

/** Paragraphs of articles in one language, each question with its exact answers. @returns {AnswerCollection} */
export function readParagraphs(folder, language) {
  const groupOf = (id) => id.split('-')[0];
  const documents = readLines(join(folder, language, 'corpus.jsonl')).map(({ _id, text }) => ({
    id: _id,
    group: groupOf(_id),
    text,
  }));
  const relevant = new Map(
    readFileSync(join(folder, language, 'qrels', 'test.tsv'), 'utf8')
      .split('\n')
      .slice(1)
      .filter((line) => line !== '')
      .map((line) => line.split('\t')),
  );
  const questions = readLines(join(folder, language, 'queries.jsonl')).map(({ _id, text, answers }, index) => ({
    id: _id,
    text,
    group: groupOf(relevant.get(_id)),
    number: index + 1,
    answers,
  }));
  return { name: `xquad/${language}`, documents, questions };
}

function readLines(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
}
