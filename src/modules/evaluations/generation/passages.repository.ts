import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import { result, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { ShownContentRepository } from '../../content/index.js';

/** A chunk from which cases are made. */
export interface Passage {
  readonly documentId: string;
  readonly text: string;
}

const LIST_DOCUMENTS = statement(
  { id: result.uuid() },
  `SELECT d.id FROM shown_documents d WHERE d.dataset_id = ANY ($1::uuid[]) ORDER BY md5($2 || d.id::text), d.id LIMIT $3`,
);
const NEXT = statement(
  { document_id: result.uuid(), body: result.text() },
  `SELECT d.id AS document_id, c.body FROM unnest($1::uuid[]) WITH ORDINALITY AS wanted(id, n) JOIN shown_documents d ON d.id = wanted.id
   CROSS JOIN LATERAL (
     SELECT k.body FROM chunks k WHERE k.chunk_set_id = d.chunk_set_id ORDER BY md5($2 || k.ordinal::text), k.ordinal OFFSET $3 LIMIT 1) c
   ORDER BY wanted.n`,
);

const MOST_DOCUMENTS = 10_000;
const PAGE = 50;

/** Reads chunks that searches show, in an order that depends on a seed. Callers have checked that the datasets are visible. */
@Injectable()
export class PassagesRepository extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly shown: ShownContentRepository,
  ) {
    super(unitOfWork);
  }

  async count(ctx: RequestContext, datasetIds: readonly DatasetId[]): Promise<number> {
    return (await this.shown.count(ctx, datasetIds)).chunks;
  }

  /** One chunk of each document, then another one of each, and so on; of at most 10,000 documents. */
  async *read(ctx: RequestContext, datasetIds: readonly string[], seed: string): AsyncGenerator<Passage> {
    const found = await this.query(ctx, LIST_DOCUMENTS, [datasetIds, seed, MOST_DOCUMENTS]);
    let open = found.map(({ id }) => id);
    for (let round = 0; open.length > 0; round += 1) {
      const further: string[] = [];
      for (let at = 0; at < open.length; at += PAGE) {
        const rows = await this.query(ctx, NEXT, [open.slice(at, at + PAGE), seed, round]);
        for (const { document_id: documentId, body } of rows) {
          further.push(documentId);
          yield { documentId, text: body };
        }
      }
      open = further;
    }
  }
}
