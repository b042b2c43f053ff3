import { Injectable } from '@nestjs/common';
import type { ChunkId, DatasetId, DocumentId } from '#libs/common';
import { columnsOf, result, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DocumentEntity } from '../../documents/index.js';

const LIST_NAMES = statement(
  columnsOf(DocumentEntity, 'id', 'name'),
  `SELECT d.id, d.name FROM shown_documents d WHERE d.dataset_id = $1 AND d.id = ANY ($2::uuid[])`,
);
const LIST_CHUNKS = statement(
  { id: result.uuid<ChunkId>(), text_start: result.bigint, body: result.text() },
  `SELECT c.id, c.text_start, c.body FROM shown_chunks c WHERE c.dataset_id = $1 AND c.id = ANY ($2::uuid[]) AND length(c.body) <= $3`,
);
/** Maximum number of chunks that are read at a time, and maximum number of characters of a chunk that is read: only a line of it is quoted. */
const PAGE = 100;
const LONGEST_CHUNK = 50_000;

/** Text of a chunk, and where it begins in the canonical text of its document. */
export interface ChunkText {
  readonly id: ChunkId;
  readonly start: number;
  readonly text: string;
}

/** Reads names and texts of documents that searches currently show. The caller has checked that the dataset and its documents may be read. */
@Injectable()
export class KgPassagesRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  async listNames(
    ctx: RequestContext,
    datasetId: DatasetId,
    ids: readonly DocumentId[],
  ): Promise<ReadonlyMap<DocumentId, string>> {
    const rows = await this.query(ctx, LIST_NAMES, [datasetId, ids]);
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** In no order; without chunks of more than 50,000 characters. */
  async *readChunks(ctx: RequestContext, datasetId: DatasetId, ids: readonly ChunkId[]): AsyncGenerator<ChunkText> {
    for (let at = 0; at < ids.length; at += PAGE) {
      const rows = await this.query(ctx, LIST_CHUNKS, [datasetId, ids.slice(at, at + PAGE), LONGEST_CHUNK]);
      for (const { id, text_start: start, body } of rows) yield { id, start: Number(start), text: body };
    }
  }
}
