import { Injectable } from '@nestjs/common';
import { inTurns, type DatasetId, type DocumentId, type TurnOptions } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { toFilterFacts } from '../../documents/index.js';
import { schemaOf } from './fact-schema.js';
import { DOCUMENT_CHARS_MAX, LOOKED_AT_MAX } from './filter-limits.js';
import type { CheapResult, FilterSubject, Judged, TextPlace } from './filter-subject.js';
import { PredicateRun, type CheapVerdict } from './predicate-run.js';
import type { ReadingBounds } from './reading-time.js';
import {
  claimByFacts,
  claimByTexts,
  takeEachChunk,
  type ClaimedDocument,
  type DocumentWithFacts,
  type ReadText,
  type ClaimedSubject,
} from './claimed-subjects.js';
import { ShownTextsRepository, type ShownDocument } from './shown-texts.repository.js';

const DOCUMENTS_PER_PAGE = 500;
/** Documents whose texts are read by one statement, and chunks of each. */
const TEXTS_AT_ONCE = 16;
const CHUNKS_AT_ONCE = 48;
const NOTHING_READ: ReadonlyMap<DocumentId, ReadText> = new Map();

/** What is asked of documents and chunks. */
export interface DocumentQuestion {
  readonly dataset: DatasetId;
  readonly predicate: string;
  readonly target: 'documents' | 'chunks';
  readonly bounds: ReadingBounds;
  readonly signal: AbortSignal;
}

/** Judges documents and chunks without a model. */
@Injectable()
export class DocumentJudge {
  constructor(private readonly shown: ShownTextsRepository) {}

  /** The newest documents, up to the limit of one request. */
  async judge(ctx: RequestContext, question: DocumentQuestion): Promise<CheapResult> {
    const totals = await this.shown.countShown(ctx, question.dataset);
    const documents = await this.listDocuments(ctx, question);
    const turns: TurnOptions = { party: ctx.tenantId, signal: question.signal };
    const keys = await inTurns(schemaOf(documents.map(({ facts }) => facts)), turns);
    const vocabulary = { keys, ofDocuments: true };
    const run = new PredicateRun<TextPlace>(question.predicate, vocabulary);
    const subjects = await (question.target === 'documents'
      ? this.takeDocuments(ctx, question, documents, run)
      : this.takeChunks(ctx, question, documents, run));
    const verdicts = await inTurns(run.conclude(), turns);
    const { filters, statements, isNegated } = run;
    return {
      judged: subjects.map(({ subject, isRead }, index) => toJudged(subject, verdicts[index]!, isRead, 'metadata')),
      total: Math.max(totals[question.target], subjects.length),
      readings: [{ table: null, filters, statements, isNegated }],
      warnings: [],
    };
  }

  private async listDocuments(
    ctx: RequestContext,
    { dataset, signal }: DocumentQuestion,
  ): Promise<DocumentWithFacts[]> {
    const documents: DocumentWithFacts[] = [];
    let before: DocumentId | null = null;
    while (documents.length < LOOKED_AT_MAX.documents) {
      signal.throwIfAborted();
      const limit = Math.min(DOCUMENTS_PER_PAGE, LOOKED_AT_MAX.documents - documents.length);
      const page: ShownDocument[] = await this.shown.listDocuments(ctx, dataset, before, limit);
      documents.push(...page.map((row) => ({ row, facts: toFilterFacts(row) })));
      if (page.length < limit) break;
      before = page.at(-1)!.id;
    }
    return documents;
  }

  /** Reads the texts only of documents whose facts leave something open. */
  private async takeDocuments(
    ctx: RequestContext,
    { bounds, signal }: DocumentQuestion,
    documents: readonly DocumentWithFacts[],
    run: PredicateRun<TextPlace>,
  ): Promise<readonly ClaimedSubject[]> {
    const turns: TurnOptions = { party: ctx.tenantId, signal };
    const taken: ClaimedDocument[] = [];
    const open = await inTurns(claimByFacts(documents, run, taken), turns);
    for (let from = 0; from < open.length; from += TEXTS_AT_ONCE) {
      const some = open.slice(from, from + TEXTS_AT_ONCE);
      const texts = bounds.isUsedUp ? NOTHING_READ : await this.readTexts(ctx, some, bounds);
      await inTurns(claimByTexts(some, texts, run, taken), turns);
    }
    return taken.toSorted((a, b) => a.at - b.at);
  }

  private async takeChunks(
    ctx: RequestContext,
    { bounds, signal }: DocumentQuestion,
    documents: readonly DocumentWithFacts[],
    run: PredicateRun<TextPlace>,
  ): Promise<readonly ClaimedSubject[]> {
    const turns: TurnOptions = { party: ctx.tenantId, signal };
    const taken: ClaimedSubject[] = [];
    for (let from = 0; from < documents.length && taken.length < LOOKED_AT_MAX.chunks; from += TEXTS_AT_ONCE) {
      if (bounds.isUsedUp) break;
      const some = documents.slice(from, from + TEXTS_AT_ONCE);
      const texts = await this.readTexts(ctx, some, bounds);
      await inTurns(takeEachChunk(some, texts, run, taken), turns);
    }
    return taken;
  }

  /** The chunks of each document in order, as far as it shows the generation that it did, and as far as one request reads. */
  private async readTexts(
    ctx: RequestContext,
    documents: readonly DocumentWithFacts[],
    bounds: ReadingBounds,
  ): Promise<ReadonlyMap<DocumentId, ReadText>> {
    const texts = new Map<DocumentId, ReadText>(documents.map(({ row }) => [row.id, { chunks: [], isComplete: true }]));
    const generations = new Map(documents.map(({ row }) => [row.id, row.generation]));
    let open = documents.map(({ row }) => row.id);
    for (let after = -1; open.length > 0; after += CHUNKS_AT_ONCE) {
      const page = await this.shown.listChunks(ctx, open, after, CHUNKS_AT_ONCE);
      const byDocument = Map.groupBy(page, ({ document_id: id }) => id);
      open = open.filter((id) => {
        const chunks = byDocument.get(id) ?? [];
        const text = texts.get(id)!;
        if (chunks.some(({ generation }) => generation !== generations.get(id))) {
          texts.delete(id);
          return false;
        }
        text.chunks.push(...chunks);
        bounds.take(chunks.reduce((sum, { body }) => sum + body.length, 0));
        if (chunks.length < CHUNKS_AT_ONCE) return false;
        text.isComplete =
          text.chunks.reduce((sum, { body }) => sum + body.length, 0) < DOCUMENT_CHARS_MAX && !bounds.isUsedUp;
        return text.isComplete;
      });
    }
    return texts;
  }
}

/** A verdict before a model is called. */
export function toJudged(
  subject: FilterSubject,
  verdict: CheapVerdict<TextPlace>,
  isRead: boolean,
  factMeans: 'metadata' | 'columns',
): Judged {
  const { truth, certainty, means, overlap, facts, sentences, rationale } = verdict;
  return {
    subject,
    truth,
    certainty,
    means: means === 'facts' ? factMeans : means,
    reason: truth === undefined ? (isRead ? 'undecided' : 'not_read') : null,
    nearness: overlap,
    facts,
    texts: sentences.map(({ ref, start, end, text }) => ({
      chunkId: ref.chunkId,
      text,
      charStart: ref.charStart === null ? null : ref.charStart + start,
      charEnd: ref.charStart === null ? null : ref.charStart + end,
    })),
    rationale,
  };
}
