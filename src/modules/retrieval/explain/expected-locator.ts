import { Injectable } from '@nestjs/common';
import type { ChunkId, DatasetId, DocumentId } from '#libs/common';
import { validationFailed } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import type { ExpectedDto } from '../dto/explain-request.dto.js';
import type { ExplainedChunkRow, ExplainedDocumentRow } from './explain.repository.js';
import { ExplainRepository } from './explain.repository.js';
import { foldedPatterns, foldText } from './folded-text.js';

/** So many chunks of what is expected are looked at one by one. */
const CHUNKS_MAX = 1_000;
const PAGE = 200;
const SEGMENTS_PER_READ = 16;
/** Documents in whose whole text a text is looked for that stands in no chunk. */
const DOCUMENTS_MAX = 200;

/** Where what is expected is, as far as the caller may know. */
export interface LocatedExpectation {
  /** Documents of the chunks, or the one document; at least one. */
  readonly documents: ReadonlyMap<DocumentId, ExplainedDocumentRow>;
  /** Shown chunks of which any will do, at most `CHUNKS_MAX`; empty when there is none. */
  readonly chunks: readonly ExplainedChunkRow[];
  /** A whole document is expected: any of its chunks will do, listed here or not. */
  readonly wholeDocument: DocumentId | null;
  /** The folded text that is expected; a chunk that holds it will do, listed here or not. */
  readonly text: string | null;
  /** Whether it may stand in a document that is not listed here. */
  readonly anyDocument: boolean;
  /** Where it got lost when there is no chunk of it. */
  readonly lostAt: 'parse' | 'chunking' | null;
}

/** Finds what a caller expected to find. */
@Injectable()
export class ExpectedLocator {
  constructor(private readonly repository: ExplainRepository) {}

  /**
   * Undefined when there is nothing that the caller may see.
   * @throws `http.validation_failed` when nothing is expected, or when fields of it contradict each other.
   */
  async locate(
    ctx: RequestContext,
    expected: ExpectedDto,
    datasetIds: readonly DatasetId[],
    signal: AbortSignal,
  ): Promise<LocatedExpectation | undefined> {
    const { document_id, chunk_id, text } = expected;
    if (chunk_id !== undefined) return this.locateChunk(ctx, chunk_id as ChunkId, expected);
    if (document_id !== undefined) return this.locateInDocument(ctx, document_id as DocumentId, text, signal);
    if (text !== undefined) return this.locateText(ctx, text, datasetIds, signal);
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
    if (document_id !== undefined && document_id.toLowerCase() !== document.id) {
      if (!documents.has(document_id.toLowerCase() as DocumentId)) return undefined;
      throw contradiction('/expected/document_id', 'the chunk belongs to another document');
    }
    const folded = text === undefined ? null : foldText(text);
    if (folded !== null && isReadable(document) && !foldText(chunk.body).includes(folded)) {
      throw contradiction('/expected/text', 'the chunk does not hold the text');
    }
    const isShown = chunk.chunk_set_id === document.visible_chunk_set_id;
    return {
      documents: new Map([[document.id, document]]),
      chunks: isShown ? [chunk] : [],
      wholeDocument: null,
      text: null,
      anyDocument: false,
      lostAt: isShown ? null : 'chunking',
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
      throw contradiction('/expected/document_id', 'the document is an archive without text: name one of its files');
    }
    if (text === undefined) {
      const chunks = await this.repository.listShownChunks(ctx, document.id, CHUNKS_MAX);
      return { documents, chunks, wholeDocument: document.id, text: null, anyDocument: false, lostAt: null };
    }
    const folded = foldText(text);
    const scope = { datasetIds: [document.dataset_id], documentId: document.id };
    const chunks = await this.findChunks(ctx, scope, folded, signal);
    const located = { documents, chunks, wholeDocument: null, text: folded, anyDocument: false };
    if (chunks.length > 0 || !isReadable(document)) return { ...located, lostAt: null };
    const isInText = await this.isInText(ctx, document.text_revision_id, folded, signal);
    return { ...located, lostAt: isInText ? 'chunking' : 'parse' };
  }

  private async locateText(
    ctx: RequestContext,
    text: string,
    datasetIds: readonly DatasetId[],
    signal: AbortSignal,
  ): Promise<LocatedExpectation | undefined> {
    const folded = foldText(text);
    const anywhere = { wholeDocument: null, text: folded, anyDocument: true };
    const chunks = await this.findChunks(ctx, { datasetIds, documentId: null }, folded, signal);
    if (chunks.length > 0) {
      const ids = [...new Set(chunks.map(({ document_id }) => document_id))];
      const documents = await this.findDocuments(ctx, ids);
      const seen = chunks.filter(({ document_id }) => documents.has(document_id));
      if (seen.length > 0) return { documents, chunks: seen, ...anywhere, lostAt: null };
    }
    const pattern = foldedPatterns(text)[0]!;
    for (const found of await this.repository.listMatchingDocuments(ctx, datasetIds, pattern, DOCUMENTS_MAX)) {
      if (!(await this.isInText(ctx, found.text_revision_id, folded, signal))) continue;
      const documents = await this.findDocuments(ctx, [found.id]);
      if (documents.size > 0) return { documents, chunks: [], ...anywhere, lostAt: 'chunking' };
    }
    return undefined;
  }

  private async findDocuments(
    ctx: RequestContext,
    ids: readonly DocumentId[],
  ): Promise<ReadonlyMap<DocumentId, ExplainedDocumentRow>> {
    return new Map((await this.repository.listDocuments(ctx, ids)).map((row) => [row.id, row]));
  }

  /** Shown chunks that hold the folded text, at most `CHUNKS_MAX`, by id. */
  private async findChunks(
    ctx: RequestContext,
    scope: { readonly datasetIds: readonly DatasetId[]; readonly documentId: DocumentId | null },
    folded: string,
    signal: AbortSignal,
  ): Promise<ExplainedChunkRow[]> {
    const patterns = foldedPatterns(folded);
    const found: ExplainedChunkRow[] = [];
    for (let after: string | null = null; found.length < CHUNKS_MAX;) {
      signal.throwIfAborted();
      const rows: ExplainedChunkRow[] = await this.repository.listMatchingChunks(ctx, scope, patterns, {
        after,
        limit: PAGE,
      });
      found.push(...rows.filter(({ body }) => foldText(body).includes(folded)));
      if (rows.length < PAGE) break;
      after = rows.at(-1)!.id;
    }
    return found.slice(0, CHUNKS_MAX);
  }

  /** Whether the folded text stands anywhere in a revision's canonical text, also across stretches of it. */
  private async isInText(
    ctx: RequestContext,
    revisionId: string,
    folded: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    let window = '';
    for (let from = 0; ;) {
      signal.throwIfAborted();
      const segments = await this.repository.listSegments(ctx, revisionId, from, SEGMENTS_PER_READ);
      for (const segment of segments) {
        window = foldKeepingEnds(window + segment.body);
        if (window.includes(folded)) return true;
        window = window.slice(-folded.length);
      }
      if (segments.length < SEGMENTS_PER_READ) return false;
      from = Number(segments.at(-1)!.text_end);
    }
  }
}

/** The text of a quarantined document is for others to read than its state. */
function isReadable({ deleted_at, quarantined_at }: ExplainedDocumentRow): boolean {
  return deleted_at === null && quarantined_at === null;
}

/** As `foldText`, with white space at the ends, beside which more text may come. */
function foldKeepingEnds(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').toLowerCase();
}

function contradiction(pointer: string, detail: string): Error {
  return validationFailed([{ pointer, code: 'contradiction', detail }]);
}
