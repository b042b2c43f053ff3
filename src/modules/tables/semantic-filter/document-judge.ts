import { Injectable } from '@nestjs/common';
import { inTurns, type DatasetId, type DocumentId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { ChunkMetadata } from '#libs/vector-store';
import { toFilterFacts } from '../../documents/index.js';
import { schemaOf } from './fact-schema.js';
import { DOCUMENT_CHARS_MAX, LOOKED_AT_MAX } from './filter-limits.js';
import type { CheapResult, FilterSubject, Judged, TextPlace } from './filter-subject.js';
import { PredicateRun, type CheapVerdict, type Piece } from './predicate-run.js';
import type { ReadingBounds } from './reading-time.js';
import { ShownTextsRepository, type ShownChunk, type ShownDocument } from './shown-texts.repository.js';

const DOCUMENTS_PER_PAGE = 500;
/** Documents whose texts are read by one statement, and chunks of each. */
const TEXTS_AT_ONCE = 16;
const CHUNKS_AT_ONCE = 48;
/** What a model is shown of metadata. */
const METADATA_CHARS = 2_000;

const NOTHING_READ: ReadonlyMap<DocumentId, ReadText> = new Map();

/** The chunks of a document in order, as far as they were read. */
interface ReadText {
  readonly chunks: ShownChunk[];
  isComplete: boolean;
}

/** A document with its facts. */
interface Looked {
  readonly row: ShownDocument;
  readonly facts: ChunkMetadata;
}

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

  /** Newest documents first, as many as one request looks at. */
  async judge(ctx: RequestContext, question: DocumentQuestion): Promise<CheapResult> {
    const totals = await this.shown.countShown(ctx, question.dataset);
    const documents = await this.listDocuments(ctx, question);
    const keys = await inTurns(schemaOf(documents.map(({ facts }) => facts)));
    const vocabulary = { keys, ofDocuments: true };
    const run = new PredicateRun<TextPlace>(question.predicate, vocabulary);
    const subjects = await (question.target === 'documents'
      ? this.takeDocuments(ctx, question, documents, run)
      : this.takeChunks(ctx, question, documents, run));
    const verdicts = run.conclude();
    const { filters, statements, isNegated } = run;
    return {
      judged: subjects.map(({ subject, isRead }, index) => toJudged(subject, verdicts[index]!, isRead, 'metadata')),
      total: Math.max(totals[question.target], subjects.length),
      readings: [{ table: null, filters, statements, isNegated }],
      warnings: [],
    };
  }

  private async listDocuments(ctx: RequestContext, { dataset, signal }: DocumentQuestion): Promise<Looked[]> {
    const documents: Looked[] = [];
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
    documents: readonly Looked[],
    run: PredicateRun<TextPlace>,
  ): Promise<{ subject: FilterSubject; isRead: boolean }[]> {
    const taken = new Map<DocumentId, { subject: FilterSubject; isRead: boolean; at: number }>();
    const take = async (
      document: Looked,
      pieces: readonly Piece<TextPlace>[] | null,
      isComplete: boolean,
    ): Promise<void> => {
      const { row, facts } = document;
      const at = await inTurns(run.add(facts, pieces, { isComplete, language: primaryTag(facts.language) }));
      taken.set(row.id, { subject: toSubject(row, null), isRead: isComplete, at });
    };
    const open = documents.filter(({ facts }) => run.needsText(facts));
    const openIds = new Set(open.map(({ row }) => row.id));
    for (const document of documents) if (!openIds.has(document.row.id)) await take(document, null, true);
    for (let from = 0; from < open.length; from += TEXTS_AT_ONCE) {
      signal.throwIfAborted();
      const some = open.slice(from, from + TEXTS_AT_ONCE);
      const texts = bounds.isUsedUp ? NOTHING_READ : await this.readTexts(ctx, some, bounds);
      for (const document of some) {
        // What shows another generation by now is taken as not read; the last look leaves it out.
        const text = texts.get(document.row.id);
        const pieces = text?.chunks.map((chunk) => toPiece(chunk, document.row.name)) ?? null;
        await take(document, pieces, text?.isComplete ?? false);
      }
    }
    return [...taken.values()].toSorted((a, b) => a.at - b.at);
  }

  private async takeChunks(
    ctx: RequestContext,
    { bounds, signal }: DocumentQuestion,
    documents: readonly Looked[],
    run: PredicateRun<TextPlace>,
  ): Promise<{ subject: FilterSubject; isRead: boolean }[]> {
    const taken: { subject: FilterSubject; isRead: boolean }[] = [];
    for (let from = 0; from < documents.length && taken.length < LOOKED_AT_MAX.chunks; from += TEXTS_AT_ONCE) {
      signal.throwIfAborted();
      if (bounds.isUsedUp) break;
      const some = documents.slice(from, from + TEXTS_AT_ONCE);
      const texts = await this.readTexts(ctx, some, bounds);
      for (const { row, facts } of some) {
        const language = primaryTag(facts.language);
        for (const chunk of texts.get(row.id)?.chunks ?? []) {
          if (taken.length >= LOOKED_AT_MAX.chunks) break;
          const pieces = run.needsText(facts) ? [toPiece(chunk, row.name)] : null;
          await inTurns(run.add(facts, pieces, { isComplete: true, language }));
          taken.push({ subject: toSubject(row, chunk), isRead: true });
        }
      }
    }
    return taken;
  }

  /** The chunks of each document in order, as far as it shows the generation that it did, and as far as one request reads. */
  private async readTexts(
    ctx: RequestContext,
    documents: readonly Looked[],
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

/** A verdict as it stands before a model is asked. */
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

/** A chunk as it is read. */
export function toPiece(
  chunk: Pick<ShownChunk, 'id' | 'body' | 'heading_path' | 'text_start'>,
  name: string,
): Piece<TextPlace> {
  return {
    text: chunk.body,
    title: [name, ...chunk.heading_path].join('\n'),
    ref: { chunkId: chunk.id, charStart: Number(chunk.text_start) },
  };
}

function toSubject(row: ShownDocument, chunk: ShownChunk | null): FilterSubject {
  return {
    id: chunk?.id ?? row.id,
    documentId: row.id,
    documentName: row.name,
    generation: row.generation,
    metadata: JSON.stringify(row.metadata).slice(0, METADATA_CHARS),
    chunkId: chunk?.id ?? null,
    row: null,
  };
}

function primaryTag(language: string | null): string | null {
  return language?.split('-', 1)[0]?.toLowerCase() ?? null;
}
