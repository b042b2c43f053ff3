import { Injectable } from '@nestjs/common';
import type { ChunkId, DatasetId, DocumentId } from '#libs/common';
import { AuditLog } from '#libs/database';
import { validationFailed } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import type { ExpectedDto } from '../request/explain-request.dto.js';
import type { ExplainedChunkRow, ExplainedDocumentRow, ExplainedPartRow } from './explain.repository.js';
import { ExplainRepository } from './explain.repository.js';
import { CHUNKS_MAX, ExpectedTexts } from './expected-texts.js';
import { foldText } from './folded-text.js';

const NONE: ReadonlySet<DocumentId> = new Set();

/** Where the expected text, chunk or document is, as far as the caller may know. */
export interface LocatedExpectation {
  /** Documents of the chunks, or the one document; at least one. */
  readonly documents: ReadonlyMap<DocumentId, ExplainedDocumentRow>;
  /** Shown chunks of which any will do, at most `CHUNKS_MAX`; empty when there is none. */
  readonly chunks: readonly ExplainedChunkRow[];
  /** Documents of which any chunk will do, listed here or not: the one that is expected, or the files of an archive. */
  readonly wholeDocuments: ReadonlySet<DocumentId>;
  /** The folded text that is expected; a chunk that holds it will do, listed here or not. */
  readonly text: string | null;
  /** Documents in which the text may be; null where that is any of them. */
  readonly textDocuments: ReadonlySet<DocumentId> | null;
  /** The stage that lost it, where no shown chunk contains it; null: not known, or nothing is lost. */
  readonly lostAt: 'parse' | 'chunking' | null;
}

/** How something is looked for. */
export interface LocateOptions {
  readonly signal: AbortSignal;
  /** Whether only the caller learns the answer: texts in quarantine are searched only then, and only where the caller may read them. */
  readonly isForCallerAlone: boolean;
}

/** Finds what a caller expected to find. */
@Injectable()
export class ExpectedLocator {
  private readonly texts: ExpectedTexts;

  constructor(
    private readonly repository: ExplainRepository,
    private readonly audit: AuditLog,
  ) {
    this.texts = new ExpectedTexts(repository);
  }

  /**
   * Undefined when there is nothing that the caller may see.
   * @throws `http.validation_failed` when nothing is expected, or when fields of it contradict each other.
   */
  async locate(
    ctx: RequestContext,
    expected: ExpectedDto,
    datasetIds: readonly DatasetId[],
    options: LocateOptions,
  ): Promise<LocatedExpectation | undefined> {
    const { document_id, chunk_id, text } = expected;
    const { signal } = options;
    if (chunk_id !== undefined) return this.locateChunk(ctx, chunk_id as ChunkId, expected);
    if (document_id !== undefined) return this.locateInDocument(ctx, document_id as DocumentId, text, signal);
    if (text !== undefined) return this.locateText(ctx, text, datasetIds, options);
    const detail = 'expected must name a document_id, a chunk_id or a text';
    throw validationFailed([{ pointer: '/expected', code: 'min_properties', detail }]);
  }

  private async locateChunk(
    ctx: RequestContext,
    id: ChunkId,
    { document_id, text }: ExpectedDto,
  ): Promise<LocatedExpectation | undefined> {
    const chunk = await this.repository.findChunk(ctx, id);
    const ids = [chunk?.document_id, document_id?.toLowerCase() as DocumentId | undefined];
    const documents = await this.findDocuments(
      ctx,
      ids.filter((one) => one !== undefined),
    );
    const document = chunk && documents.get(chunk.document_id);
    if (chunk === undefined || document === undefined) return undefined;
    if (document_id !== undefined && !isOf(document, document_id)) {
      if (!documents.has(document_id.toLowerCase() as DocumentId)) return undefined;
      throw contradiction('/expected/document_id', 'the chunk belongs to another document');
    }
    const folded = text === undefined ? null : foldText(text);
    const mayRead = isReadable(document);
    if (folded !== null && mayRead && !foldText(chunk.body).includes(folded)) {
      throw contradiction('/expected/text', 'the chunk does not hold the text');
    }
    // Scores of a chunk tell its words to those who ask with them.
    const isShown = mayRead && chunk.chunk_set_id === document.shown_chunk_set_id;
    return {
      documents: new Map([[document.id, document]]),
      chunks: isShown ? [chunk] : [],
      wholeDocuments: NONE,
      text: null,
      textDocuments: NONE,
      lostAt: isShown || !mayRead ? null : 'chunking',
    };
  }

  private async locateInDocument(
    ctx: RequestContext,
    id: DocumentId,
    text: string | undefined,
    signal: AbortSignal,
  ): Promise<LocatedExpectation | undefined> {
    const documents = await this.findDocuments(ctx, [id.toLowerCase() as DocumentId]);
    const [document] = documents.values();
    if (document === undefined) return undefined;
    if (document.split_revision_id !== null) {
      const parts = await this.repository.listParts(ctx, document.id);
      if (parts.length > 0) return this.locateInArchive(ctx, document, parts, text, signal);
    }
    if (text === undefined) {
      const chunks = await this.repository.listShownChunks(ctx, [document.id], CHUNKS_MAX);
      const wholeDocuments = new Set([document.id]);
      return { documents, chunks, wholeDocuments, text: null, textDocuments: NONE, lostAt: null };
    }
    const folded = foldText(text);
    const scope = { datasetIds: [document.dataset_id], documentIds: [document.id] };
    const chunks = await this.texts.findChunks(ctx, scope, folded, signal);
    const textDocuments = new Set([document.id]);
    const located = { documents, chunks, wholeDocuments: NONE, text: folded, textDocuments };
    if (chunks.length > 0 || !isReadable(document)) return { ...located, lostAt: null };
    const isInText = await this.texts.isInText(ctx, document.text_revision_id, folded, signal);
    return { ...located, lostAt: isInText ? 'chunking' : 'parse' };
  }

  /** Any file of an archive will do. Where no searchable file contains it, the answer names the first file that is not searchable. */
  private async locateInArchive(
    ctx: RequestContext,
    { dataset_id: datasetId }: ExplainedDocumentRow,
    parts: readonly ExplainedPartRow[],
    text: string | undefined,
    signal: AbortSignal,
  ): Promise<LocatedExpectation> {
    const ids = parts.map(({ id }) => id);
    if (text === undefined) {
      const chunks = await this.repository.listShownChunks(ctx, ids, CHUNKS_MAX);
      const documents = await this.documentsOf(ctx, chunks, ids[0]!);
      return { documents, chunks, wholeDocuments: new Set(ids), text: null, textDocuments: NONE, lostAt: null };
    }
    const folded = foldText(text);
    const scope = { datasetIds: [datasetId], documentIds: ids };
    const chunks = await this.texts.findChunks(ctx, scope, folded, signal);
    const located = { chunks, wholeDocuments: NONE, text: folded, textDocuments: new Set(ids) };
    const cut = chunks.length > 0 ? undefined : await this.texts.findInTexts(ctx, scope, text, signal);
    const told = cut ?? parts.find(({ is_searchable: isSearchable }) => !isSearchable)?.id ?? ids[0]!;
    const documents = await this.documentsOf(ctx, chunks, told);
    return { documents, ...located, lostAt: chunks.length > 0 ? null : cut === undefined ? 'parse' : 'chunking' };
  }

  /** The documents of the chunks; without chunks the document `otherwise`. */
  private documentsOf(
    ctx: RequestContext,
    chunks: readonly ExplainedChunkRow[],
    otherwise: DocumentId,
  ): Promise<ReadonlyMap<DocumentId, ExplainedDocumentRow>> {
    const ids = [...new Set(chunks.map(({ document_id }) => document_id))];
    return this.findDocuments(ctx, ids.length === 0 ? [otherwise] : ids);
  }

  private async locateText(
    ctx: RequestContext,
    text: string,
    datasetIds: readonly DatasetId[],
    { signal, isForCallerAlone }: LocateOptions,
  ): Promise<LocatedExpectation | undefined> {
    const folded = foldText(text);
    const anywhere = { wholeDocuments: NONE, text: folded, textDocuments: null };
    const scope = { datasetIds, documentIds: null };
    const chunks = await this.texts.findChunks(ctx, scope, folded, signal);
    if (chunks.length > 0) {
      const ids = [...new Set(chunks.map(({ document_id }) => document_id))];
      const documents = await this.findDocuments(ctx, ids);
      const seen = chunks.filter(({ document_id }) => documents.has(document_id));
      if (seen.length > 0) return { documents, chunks: seen, ...anywhere, lostAt: null };
    }
    const found = await this.texts.findInTexts(ctx, scope, text, signal);
    const documents = await this.findDocuments(ctx, found === undefined ? [] : [found]);
    if (documents.size > 0) return { documents, chunks: [], ...anywhere, lostAt: 'chunking' };
    if (!isForCallerAlone) return undefined;
    const held = await this.quarantinedWith(ctx, text, datasetIds, signal);
    return held.size === 0 ? undefined : { documents: held, chunks: [], ...anywhere, lostAt: null };
  }

  /**
   * The document in quarantine that contains a text which no searchable document contains. Found only for callers who may read its text: to all others
   * the text is nowhere. The audit log notes the reading before the answer is sent.
   */
  private async quarantinedWith(
    ctx: RequestContext,
    text: string,
    datasetIds: readonly DatasetId[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<DocumentId, ExplainedDocumentRow>> {
    if (!ctx.principal.permissions.has('governance:read')) return new Map();
    const found = await this.texts.findInQuarantine(ctx, datasetIds, text, signal);
    const documents = await this.findDocuments(ctx, found === undefined ? [] : [found]);
    for (const { id, dataset_id } of documents.values()) {
      const details = { dataset_id, part: 'explain' };
      await this.audit.append(ctx, { event: 'document.quarantined_read', subject: `document:${id}`, details });
    }
    return documents;
  }

  private async findDocuments(
    ctx: RequestContext,
    ids: readonly DocumentId[],
  ): Promise<ReadonlyMap<DocumentId, ExplainedDocumentRow>> {
    return new Map((await this.repository.listDocuments(ctx, ids)).map((row) => [row.id, row]));
  }
}

/** Whether an id names a document or the archive that it is a file of. */
function isOf({ id, archive_id: archiveId }: ExplainedDocumentRow, named: string): boolean {
  return [id, archiveId].includes(named.toLowerCase() as DocumentId);
}

/** Whether a caller who sees the document may also read its text. */
function isReadable({ is_deleted, is_quarantined }: ExplainedDocumentRow): boolean {
  return !is_deleted && !is_quarantined;
}

function contradiction(pointer: string, detail: string): Error {
  return validationFailed([{ pointer, code: 'contradiction', detail }]);
}
