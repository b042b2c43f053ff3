import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { CatalogueError, FairSemaphore, inTurns, type Steps } from '#libs/common';
import { ObjectStorage, parseObjectKey, type ByteRange } from '#libs/object-storage';
import type { RequestContext } from '#libs/tenancy';
import { requireUnguarded } from '../record/content-guard.js';
import type { DocumentRevisionEntity } from '../record/document-revision.entity.js';
import { isSplit, shownRevisionOf } from '../record/document-views.js';
import { documentErrors } from '../documents.errors.js';
import { DocumentsRepository } from '../record/documents.repository.js';
import { DocumentsService } from './documents.service.js';
import { contentDisposition } from '../record/file-name.js';

/** Bytes to send, with the values of the response headers. */
export interface Download {
  readonly stream: Readable;
  readonly mediaType: string;
  readonly disposition: string;
  /** Size of the whole file in bytes. */
  readonly sizeBytes: number;
  /** First and last sent byte (from 0, both inclusive) if only a part is sent. */
  readonly part: Required<ByteRange> | undefined;
}

/** A stretch of a document's canonical text; offsets in UTF-16 code units. */
export interface DocumentStretch {
  readonly name: string;
  readonly text: string;
  readonly end: number;
  readonly totalChars: number;
}

/** Media types that a browser does not run when it opens the download. */
const INERT = /^(text\/(plain|markdown|csv)|application\/(pdf|json)|image\/(png|jpeg|gif|webp))$/;

/**
 * Maximum number of stretches that the process reads at once. Long texts are read as fast as they are sent, and other reads must not wait
 * for that.
 */
const READS_AT_ONCE = 2;
const reads = new FairSemaphore(READS_AT_ONCE);

/** The canonical text and the original file, both streamed. */
@Injectable()
export class DocumentTextService {
  constructor(
    private readonly documents: DocumentsService,
    private readonly repository: DocumentsRepository,
    private readonly storage: ObjectStorage,
  ) {}

  /**
   * UTF-16 code units `start` to `end` (exclusive) of the canonical text, as UTF-8; half of a surrogate pair at either end is left out. The
   * text is that of the revision that searches show, to which offsets refer, or of the latest revision if none is shown.
   */
  async text(ctx: RequestContext, documentId: string, start: number, end: number | undefined): Promise<Readable> {
    const row = await this.documents.requireReadable(ctx, documentId, 'text');
    if (isSplit(row)) throw documentErrors.archive_without_text({});
    const revisionId = shownRevisionOf(row);
    const length = await this.repository.findTextLength(ctx, revisionId);
    if (length === undefined) throw documentErrors.text_not_ready({ status: row.status });
    return Readable.from(this.segments(ctx, revisionId, start, Math.min(end ?? length, length)), {
      objectMode: false,
    });
  }

  /**
   * The same stretch as one string, for callers that limit its length, with the offset at which it ended.
   * @throws as `text`
   */
  async slice(ctx: RequestContext, documentId: string, start: number, end: number): Promise<DocumentStretch> {
    const row = await this.documents.requireReadable(ctx, documentId, 'text');
    if (isSplit(row)) throw documentErrors.archive_without_text({});
    const revisionId = shownRevisionOf(row);
    const totalChars = await this.repository.findTextLength(ctx, revisionId);
    if (totalChars === undefined) throw documentErrors.text_not_ready({ status: row.status });
    const stop = Math.min(end, totalChars);
    const pieces: Buffer[] = [];
    for await (const piece of this.segments(ctx, revisionId, start, stop)) pieces.push(piece);
    return { name: row.name, text: Buffer.concat(pieces).toString('utf8'), end: Math.max(start, stop), totalChars };
  }

  /**
   * The file of the revision that searches show, or of the latest revision if none is shown. An archive whose files are documents is
   * refused once a file of it is withheld or deleted. `range` is the value of a `Range` header: one range of bytes is sent alone; for
   * several ranges or another unit the whole file is sent.
   * @throws `documents.range_not_satisfiable`, `documents.content_guarded`, `documents.content_removed`, `documents.archive_file_deleted`, `documents.archive_content_removed`
   */
  async content(ctx: RequestContext, documentId: string, range?: string): Promise<Download> {
    const row = await this.documents.requireReadable(ctx, documentId, 'content');
    const file = await this.repository.findFile(ctx, shownRevisionOf(row));
    if (file === undefined) throw documentErrors.not_found({});
    if (file.content_guard === 'purged') throw documentErrors.archive_content_removed({});
    const parts = isSplit(row) ? await this.repository.lookAtParts(ctx, row.id) : undefined;
    if (parts?.is_deleted === true) throw documentErrors.archive_file_deleted({});
    requireUnguarded(ctx, file.content_guard ?? (parts?.is_guarded === true ? 'masked' : null));
    const sizeBytes = Number(file.size_bytes);
    const part = partOf(sizeBytes, range);
    return {
      stream: await this.open(file, part),
      mediaType: INERT.test(row.media_type) ? row.media_type : 'application/octet-stream',
      disposition: contentDisposition(row.name),
      sizeBytes,
      part,
    };
  }

  private async open(
    file: Pick<DocumentRevisionEntity, 'blob_key' | 'content_guard'>,
    part: ByteRange | undefined,
  ): Promise<Readable> {
    try {
      return await this.storage.get(parseObjectKey(file.blob_key), part);
    } catch (error) {
      const isGone = error instanceof CatalogueError && error.code === 'storage.object_not_found';
      if (isGone && file.content_guard === 'rejected') throw documentErrors.content_removed({});
      throw error;
    }
  }

  private async *segments(ctx: RequestContext, revisionId: string, start: number, end: number): AsyncGenerator<Buffer> {
    let at = start;
    while (at < end) {
      const from = at;
      const segment = await reads.run(ctx.tenantId, () => this.repository.findSegment(ctx, revisionId, from));
      if (segment === undefined) return;
      const piece = segment.text.slice(Math.max(0, at - segment.start), end - segment.start);
      at = segment.start + segment.text.length;
      yield await inTurns(encoded(trimHalves(piece)), { party: ctx.tenantId });
    }
  }
}

/** The one range of bytes that a `Range` header requests (RFC 9110); undefined for anything else, which is ignored. */
function partOf(sizeBytes: number, range: string | undefined): Required<ByteRange> | undefined {
  const [, first = '', last = ''] = /^bytes=[\t ]*(\d*)-(\d*)[\t ]*$/i.exec(range ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const isSuffix = first === '';
  if (!isSuffix && last !== '' && Number(last) < Number(first)) return undefined;
  const start = isSuffix ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = isSuffix || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (start > end) {
    throw documentErrors.range_not_satisfiable({ sizeBytes }, { headers: { 'Content-Range': `bytes */${sizeBytes}` } });
  }
  return { start, end };
}

/** Encodes the text as UTF-8, in the tenant's turn for processor time. */
function* encoded(text: string): Steps<Buffer> {
  yield;
  return Buffer.from(text, 'utf8');
}

/** Drops a low surrogate at the beginning and a high surrogate at the end, whose other halves are outside of the stretch. */
function trimHalves(piece: string): string {
  const first = piece.charCodeAt(0);
  const last = piece.charCodeAt(piece.length - 1);
  const from = first >= 0xdc00 && first <= 0xdfff ? 1 : 0;
  const to = last >= 0xd800 && last <= 0xdbff ? piece.length - 1 : piece.length;
  return piece.slice(from, to);
}
