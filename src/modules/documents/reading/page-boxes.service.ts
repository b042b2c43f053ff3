import { Injectable } from '@nestjs/common';
import { CatalogueError, FairSemaphore } from '#libs/common';
import { validationFailed } from '#libs/http';
import { ObjectStorage, parseObjectKey } from '#libs/object-storage';
import { DocumentParser, ParseError, type LocateRequest, type PagePlaces } from '#libs/parsing';
import type { RequestContext } from '#libs/tenancy';
import { requireUnguarded } from '../record/content-guard.js';
import type { DocumentRow } from '../record/document.entity.js';
import { isSplit, shownRevisionOf } from '../record/document-views.js';
import { documentErrors } from '../documents.errors.js';
import { DocumentsService } from './documents.service.js';
import { MOST_CHARACTERS, type PageBoxes, type PageBoxesQuery } from './page-boxes.dto.js';
import { PageTextsRepository, type PageFile } from './page-texts.repository.js';

const PDF = 'application/pdf';
/**
 * Number of code units around the stretch that are also read on a long page, because its lines may begin before and end after the stretch.
 */
const AROUND = 65_536;
/** Number of pages that are read at once: as many as the parser has places; a tenant never gets all of them while another tenant waits. */
const places = new FairSemaphore(2);

/** Locates the text of a document on the pages of its PDF. */
@Injectable()
export class PageBoxesService {
  constructor(
    private readonly documents: DocumentsService,
    private readonly repository: PageTextsRepository,
    private readonly storage: ObjectStorage,
    private readonly parser: DocumentParser,
  ) {}

  /**
   * Boxes of the revision that searches show. They need the same permission as the file, because a box reveals the width of masked text.
   * The page is read and compared with the text in an isolated process.
   * @throws `documents.not_found`, `documents.quarantined`, `documents.archive_without_text`, `documents.text_not_ready`, `documents.content_guarded`,
   * `documents.no_pdf`, `documents.page_not_found`, `documents.outside_text`, `documents.not_on_page`, `documents.without_place`,
   * `documents.page_unreadable`, `documents.page_not_read`
   */
  async find(
    ctx: RequestContext,
    documentId: string,
    page: string,
    query: PageBoxesQuery,
    signal: AbortSignal,
  ): Promise<PageBoxes> {
    const row = await this.documents.requireReadable(ctx, documentId, 'content');
    const file = await this.requirePdf(ctx, row);
    const number = pageNumber(page, row);
    const { start, end } = await this.stretchOf(ctx, row, number, query);
    if (end > Number(file.text_length)) throw documentErrors.outside_text({ length: Number(file.text_length) });
    const blocks = await this.repository.readPage(ctx, shownRevisionOf(row), {
      page: number,
      low: Math.max(0, start - AROUND),
      high: end + AROUND,
    });
    if (!blocks.some((block) => block.start < end && block.start + block.text.length > start)) {
      const actual = await this.repository.findPage(ctx, shownRevisionOf(row), start);
      throw documentErrors.not_on_page({ page: number, actual });
    }
    const { pageCount, size, boxes } = await this.locate(ctx, file, { page: number, blocks, start, end }, signal);
    if (number > pageCount) throw documentErrors.page_not_found({ page, pages: pageCount });
    if (size === null) throw documentErrors.page_unreadable({ page: number, reason: 'The page is damaged.' });
    if (boxes.length === 0) throw documentErrors.without_place({});
    const facts = { document_id: row.id, revision: file.revision, page: number, page_count: pageCount };
    return { ...facts, ...size, origin: 'top_left', boxes: boxes.map((box) => ({ ...box })) };
  }

  /**
   * The requested stretch; offsets that the query leaves out are the beginning and the end of the page's text. @throws
   * `documents.without_place` for a page without text
   */
  private async stretchOf(
    ctx: RequestContext,
    row: DocumentRow,
    page: number,
    query: PageBoxesQuery,
  ): Promise<{ readonly start: number; readonly end: number }> {
    if (query.start !== undefined && query.end !== undefined) return requireRange(query.start, query.end);
    const whole = await this.repository.findStretch(ctx, shownRevisionOf(row), page);
    if (whole === undefined) throw documentErrors.without_place({});
    const start = query.start ?? whole.start;
    return requireRange(start, query.end ?? Math.max(start + 1, Math.min(whole.end, start + MOST_CHARACTERS)));
  }

  private async requirePdf(ctx: RequestContext, row: DocumentRow): Promise<PageFile> {
    if (isSplit(row)) throw documentErrors.archive_without_text({});
    const file = await this.repository.findFile(ctx, shownRevisionOf(row));
    if (file === undefined) throw documentErrors.not_found({});
    const mediaType = file.media_type ?? row.media_type;
    if (mediaType !== PDF) throw documentErrors.no_pdf({ mediaType });
    if (file.text_length === null) throw documentErrors.text_not_ready({ status: row.status });
    requireUnguarded(ctx, file.content_guard);
    return file;
  }

  private async locate(
    ctx: RequestContext,
    file: PageFile,
    request: Omit<LocateRequest, 'path'>,
    signal: AbortSignal,
  ): Promise<PagePlaces> {
    const read = (path: string): Promise<PagePlaces> => this.parser.locate({ ...request, path }, { signal });
    const work = (): Promise<PagePlaces> => this.storage.withLocalFile(parseObjectKey(file.blob_key), read, { signal });
    try {
      return await places.run(ctx.tenantId, work);
    } catch (error) {
      const isGone = error instanceof CatalogueError && error.code === 'storage.object_not_found';
      if (isGone && file.content_guard === 'rejected') throw documentErrors.content_removed({});
      if (!(error instanceof ParseError)) throw error;
      if (error.retryable) throw documentErrors.page_not_read({});
      throw documentErrors.page_unreadable({ page: request.page, reason: error.detail });
    }
  }
}

function requireRange(start: number, end: number): { readonly start: number; readonly end: number } {
  if (end > start && end - start <= MOST_CHARACTERS) return { start, end };
  const detail = `must be greater than start, by at most ${MOST_CHARACTERS} code units`;
  throw validationFailed([{ pointer: '/end', code: 'range', detail }]);
}

/** @throws `documents.page_not_found` */
function pageNumber(page: string, { page_count: pages }: Pick<DocumentRow, 'page_count'>): number {
  const number = /^[1-9]\d{0,8}$/.test(page) ? Number(page) : undefined;
  if (number === undefined || (pages !== null && number > pages)) throw documentErrors.page_not_found({ page, pages });
  return number;
}
