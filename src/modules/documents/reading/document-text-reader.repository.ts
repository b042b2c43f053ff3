import { Injectable } from '@nestjs/common';
import { result, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { TEXT_REVISION } from '../record/document.entity.js';

const READ_RANGE = statement(
  { text_start: result.bigint, body: result.text() },
  `SELECT g.text_start, g.body
   FROM documents d JOIN document_segments g ON g.revision_id = ${TEXT_REVISION}
   WHERE d.id = $1 AND d.deleted_at IS NULL AND d.quarantined_at IS NULL AND g.text_start < $3 AND g.text_end > $2 ORDER BY g.text_start`,
);
const FIND_PAGE = statement(
  { page: result.integer },
  `SELECT (b.block ->> 'page')::int AS page
   FROM documents d JOIN document_segments g ON g.revision_id = ${TEXT_REVISION},
     jsonb_array_elements(g.blocks) AS b(block)
   WHERE d.id = $1 AND d.deleted_at IS NULL AND d.quarantined_at IS NULL AND g.text_start <= $2
     AND (b.block ->> 'start')::bigint <= $2 AND b.block ? 'page'
   ORDER BY g.text_start DESC, (b.block ->> 'start')::bigint DESC LIMIT 1`,
);

/** Reads stretches of a document's shown canonical text. The caller must check that the document may be seen. */
@Injectable()
export class DocumentTextReader extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** The stretch from `start` to `end` (exclusive) in UTF-16 code units; undefined when the document has no such stretch. */
  async readRange(ctx: RequestContext, documentId: string, start: number, end: number): Promise<string | undefined> {
    const segments = await this.query(ctx, READ_RANGE, [documentId, start, end]);
    const first = segments[0];
    if (first === undefined || Number(first.text_start) > start) return undefined;
    const joined = segments.map((segment) => segment.body).join('');
    const offset = Number(first.text_start);
    return joined.length < end - offset ? undefined : joined.slice(start - offset, end - offset);
  }

  /** Page of the text at `offset`; null for formats without pages. It can be later than the first page of the chunk. */
  async findPage(ctx: RequestContext, documentId: string, offset: number): Promise<number | null> {
    const row = await this.queryOne(ctx, FIND_PAGE, [documentId, offset]);
    return row?.page ?? null;
  }
}
