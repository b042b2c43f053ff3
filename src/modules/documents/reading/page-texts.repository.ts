import { Injectable } from '@nestjs/common';
import type { RevisionId } from '#libs/common';
import { columnsOf, result, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { PlacedText } from '#libs/parsing';
import type { RequestContext } from '#libs/tenancy';
import { DocumentRevisionEntity } from '../record/document-revision.entity.js';

/** A block of a page, as stored in its segment. */
interface StoredBlock {
  readonly start: number;
  readonly end: number;
  readonly box: PlacedText['box'] | null;
}

/** The file of a revision, with the length of its text. */
export type PageFile = Pick<
  DocumentRevisionEntity,
  'revision' | 'blob_key' | 'media_type' | 'content_guard' | 'text_length'
>;

const FIND_FILE = statement(
  columnsOf(DocumentRevisionEntity, 'revision', 'blob_key', 'media_type', 'content_guard', 'text_length'),
  `SELECT revision, blob_key, media_type, content_guard, text_length FROM document_revisions WHERE id = $1`,
);
const READ_PAGE = statement(
  { text_start: result.bigint, body: result.text(), blocks: result.present(result.json<StoredBlock[]>()) },
  `SELECT g.text_start, g.body, coalesce((
     SELECT jsonb_agg(jsonb_build_object('start', b.block -> 'start', 'end', b.block -> 'end', 'box', b.block -> 'box'))
     FROM jsonb_array_elements(g.blocks) AS b(block)
     WHERE (b.block ->> 'page')::int = $2 AND b.block ->> 'kind' <> 'page_break'), '[]') AS blocks
   FROM document_segments g WHERE g.revision_id = $1 AND g.text_end > $3 AND g.text_start < $4 ORDER BY g.text_start`,
);
const FIND_STRETCH = statement(
  { start: result.orNull(result.integer), end: result.orNull(result.integer) },
  `SELECT min((b.block ->> 'start')::bigint)::int AS start, max((b.block ->> 'end')::bigint)::int AS end
   FROM document_segments g, jsonb_array_elements(g.blocks) AS b(block)
   WHERE g.revision_id = $1 AND (b.block ->> 'page')::int = $2 AND b.block ->> 'kind' <> 'page_break'`,
);
const FIND_PAGE = statement(
  { page: result.integer },
  `SELECT (b.block ->> 'page')::int AS page
   FROM document_segments g, jsonb_array_elements(g.blocks) AS b(block)
   WHERE g.revision_id = $1 AND g.text_start <= $2 AND (b.block ->> 'start')::bigint <= $2 AND b.block ? 'page'
   ORDER BY g.text_start DESC, (b.block ->> 'start')::bigint DESC LIMIT 1`,
);

/** Reads the text of pages from their blocks. The caller must check that the document may be seen. */
@Injectable()
export class PageTextsRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  async findFile(ctx: RequestContext, revisionId: RevisionId): Promise<PageFile | undefined> {
    return this.queryOne(ctx, FIND_FILE, [revisionId]);
  }

  /** The blocks of a page with the part of their text between `low` and `high`; blocks outside of it are left out. */
  async readPage(
    ctx: RequestContext,
    revisionId: RevisionId,
    { page, low, high }: { readonly page: number; readonly low: number; readonly high: number },
  ): Promise<PlacedText[]> {
    const segments = await this.query(ctx, READ_PAGE, [revisionId, page, low, high]);
    const base = Number(segments[0]?.text_start ?? 0);
    const text = segments.map(({ body }) => body).join('');
    return segments
      .flatMap(({ blocks }) => blocks)
      .map(({ start, end, box }) => {
        const from = Math.max(start, low, base);
        const part = text.slice(from - base, Math.max(from, Math.min(end, high)) - base);
        return { start: from, text: part, ...(box !== null && { box }) };
      })
      .filter((block) => block.text !== '');
  }

  /** The text of a page, from its first block to its last one; undefined for a page without text. */
  async findStretch(
    ctx: RequestContext,
    revisionId: RevisionId,
    page: number,
  ): Promise<{ readonly start: number; readonly end: number } | undefined> {
    const { start, end } = (await this.queryOne(ctx, FIND_STRETCH, [revisionId, page]))!;
    return start === null || end === null ? undefined : { start, end };
  }

  /** Page of the text at `offset`. */
  async findPage(ctx: RequestContext, revisionId: RevisionId, offset: number): Promise<number | null> {
    const row = await this.queryOne(ctx, FIND_PAGE, [revisionId, offset]);
    return row?.page ?? null;
  }
}
