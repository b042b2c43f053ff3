import { Injectable } from '@nestjs/common';
import { result, statement, statementFamily, TenantRepository, UnitOfWork, type RowOf } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, visibilityVariantsOf } from '../../datasets/index.js';

const DOCUMENT = { id: result.uuid(), name: result.text(), path: result.orNull(result.text()) };
/** A document that the caller sees, under its names of today. */
export type SeenDocument = RowOf<typeof DOCUMENT>;

const FIND_DOCUMENTS = statementFamily(
  DOCUMENT,
  (visible: string) =>
    `SELECT d.id, d.name, d.path FROM shown_documents d JOIN datasets s ON s.id = d.dataset_id
     WHERE d.id = ANY ($1::uuid[]) AND ${visible}`,
  visibilityVariantsOf('s', 2).map((visible) => [visible] as const),
);
const FIND_CHUNKS = statement({ id: result.uuid() }, `SELECT c.id FROM shown_chunks c WHERE c.id = ANY ($1::uuid[])`);

/** What of the sources of kept answers is shown at this moment. */
@Injectable()
export class ShownSourcesRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
  ) {
    super(unitOfWork);
  }

  /** Those of the documents that the caller sees: neither deleted nor in quarantine, with text, in a dataset that it sees. */
  async findDocuments(ctx: RequestContext, ids: readonly string[]): Promise<ReadonlyMap<string, SeenDocument>> {
    if (ids.length === 0) return new Map();
    const { sql, parameters } = this.access.visibilityCondition(ctx, 's', 2);
    const rows = await this.query(ctx, FIND_DOCUMENTS.of(sql), [ids, ...parameters]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Those of the chunks that their documents show, so that their text is what it was. The caller must see the documents. */
  async findChunks(ctx: RequestContext, ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.query(ctx, FIND_CHUNKS, [ids]);
    return new Set(rows.map(({ id }) => id));
  }
}
