import { Injectable } from '@nestjs/common';
import type { DatasetId, RevisionId } from '#libs/common';
import { columnsOf, result, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { UnseenText } from '#libs/parsing';
import type { RequestContext } from '#libs/tenancy';
import type { Block, TextSegment } from '#libs/text';
import { DocumentEntity, isOpen, TEXT_REVISION, type DocumentRow } from '../../documents/index.js';

const COUNT = statement(
  { n: result.integer },
  `SELECT count(*)::int AS n FROM documents d WHERE d.dataset_id = $1 AND ${isOpen('d')}`,
);
const LIST_NEXT = statement(
  {
    ...columnsOf(DocumentEntity, 'id', 'name', 'path', 'metadata', 'tags'),
    text_revision_id: result.present(result.uuid<RevisionId>()),
    text_revision: result.present(result.integer),
    title: result.orNull(result.text()),
    unseen: result.orNull(result.json<UnseenText[]>()),
  },
  `SELECT d.id, d.name, d.path, d.metadata, d.tags, r.id AS text_revision_id, r.revision AS text_revision,
     r.parsed ->> 'title' AS title, r.parsed -> 'unseen' AS unseen
   FROM documents d JOIN document_revisions r ON r.id = ${TEXT_REVISION}
   WHERE d.dataset_id = $1 AND ${isOpen('d')} AND d.id > $2 ORDER BY d.id LIMIT $3`,
);
const READ_NEXT = statement(
  { text_start: result.bigint, body: result.text(), blocks: result.json<Block[]>() },
  `SELECT text_start, body, blocks FROM document_segments WHERE revision_id = $1 AND text_start > $2 ORDER BY text_start LIMIT 1`,
);

/** A document with the properties that a rescan reads. */
export interface RescannedDocument extends Pick<DocumentRow, 'id' | 'name' | 'path' | 'metadata' | 'tags'> {
  /** Revision of the shown text. */
  readonly text_revision_id: RevisionId;
  readonly text_revision: number;
  /** The title in the content. */
  readonly title: string | null;
  /** Stretches of the text that a reader of the file does not see. */
  readonly unseen: UnseenText[] | null;
}

/** Reads documents of a dataset that are neither deleted nor quarantined. The caller must check that the dataset may be seen. */
@Injectable()
export class RescannedDocumentsRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  async count(ctx: RequestContext, datasetId: DatasetId): Promise<number> {
    return (await this.queryOne(ctx, COUNT, [datasetId]))?.n ?? 0;
  }

  /** Documents after `after`, in the order of their ids. */
  async listNext(
    ctx: RequestContext,
    datasetId: DatasetId,
    after: string,
    limit: number,
  ): Promise<RescannedDocument[]> {
    return this.query(ctx, LIST_NEXT, [datasetId, after, limit]);
  }

  /** The stored text of a revision, in order, one query for each piece; empty if there is no text yet. */
  async *readText(ctx: RequestContext, revisionId: RevisionId): AsyncGenerator<TextSegment> {
    for (let from = -1; ;) {
      const row = await this.queryOne(ctx, READ_NEXT, [revisionId, from]);
      if (row === undefined) return;
      from = Number(row.text_start);
      yield { start: from, text: row.body, blocks: row.blocks };
    }
  }
}
