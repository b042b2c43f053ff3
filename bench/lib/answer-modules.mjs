/** The built-in answerer over documents in memory, without service, database and store: the same functions in the same order. */
import { KeywordScorer, TermStatistics, analyzeQuery, compareScored, encodeChunk, summarizeTerms } from '#libs/ranking';
import {
  answerExtractively,
  resolveCitations,
  ANSWERED_THRESHOLD,
  findEvidence,
  measureAnswered,
  profileQuestion,
} from '#libs/answering';
import { chunkBlocks } from '#libs/text';
import { segmentsOf } from './markdown-corpora.mjs';

/** As many sources as a chat takes unless it is asked for another number. */
const SOURCES = 8;

/** Chunks of documents that are the same in every dataset that holds them. */
export class ChunkedDocuments {
  /** @param {import('./answer-collections.mjs').AnswerDocument[]} documents */
  static async read(documents) {
    const chunks = [];
    for (const { id, group, text, blocks } of documents) {
      const pieces = [];
      const paragraphs = blocks ?? [{ kind: 'paragraph', start: 0, end: text.length }];
      for await (const piece of chunkBlocks(segmentsOf(text, paragraphs), {})) pieces.push(piece);
      for (const [ordinal, { start, end, headingPath }] of pieces.entries()) {
        const body = text.slice(start, end);
        const { terms } = encodeChunk({ text: body, title: id, headings: headingPath });
        chunks.push({ id: `${id}:${ordinal}`, documentId: id, ordinal, group, text: body, start, terms });
      }
    }
    return new ChunkedDocuments(chunks);
  }

  constructor(chunks) {
    this.chunks = chunks;
  }

  /** A dataset of the documents whose group passes. */
  dataset(passes) {
    return new ModuleDataset(this.chunks.filter(({ group }) => passes(group)));
  }
}

class ModuleDataset {
  constructor(chunks) {
    this.chunks = chunks;
    this.statistics = new TermStatistics();
    for (const { terms } of chunks) this.statistics.add(summarizeTerms([terms]));
  }

  search(question) {
    const terms = analyzeQuery(question);
    const scorer = new KeywordScorer(terms, this.statistics);
    const ranked = this.chunks
      .map((item) => ({ item, score: scorer.score(item.terms) / scorer.ceiling }))
      .filter(({ score }) => score > 0)
      .sort(compareScored)
      .slice(0, SOURCES);
    const sources = ranked.map(({ item, score }, index) => ({ ...item, number: index + 1, score }));
    return sources;
  }

  /** What a chat answers; `quotes` are the cited places in their documents, `sources` what is given with it, `ms` what answering takes beside the search. */
  ask(question, withEvidence) {
    const sources = this.search(question);
    const began = performance.now();
    const profile = profileQuestion(question, this.statistics);
    const judged = sources.map(({ text, documentId }) => ({ text, title: documentId }));
    const answered = measureAnswered(profile, judged);
    const judgedMs = performance.now() - began;
    const found =
      answered < ANSWERED_THRESHOLD
        ? null
        : answerExtractively(
            question,
            sources.map((source) => ({ ...source, title: source.documentId })),
          );
    const { answer, citations } = resolveCitations(found?.answer ?? '', sources);
    const quotes = citations.map(({ number, sourceStart, sourceEnd }) => ({
      document: sources[number - 1].documentId,
      start: sourceStart,
      end: sourceEnd,
    }));
    const given = sources.map(({ documentId, start, text }) => ({
      document: documentId,
      start,
      end: start + text.length,
      text,
    }));
    const ms = performance.now() - began;
    const evidence = withEvidence ? findEvidence(profile, judged) : undefined;
    return {
      refused: found === null,
      answered,
      answer,
      quotes,
      sources: found === null ? [] : given,
      ms,
      judgedMs,
      evidence,
    };
  }
}
