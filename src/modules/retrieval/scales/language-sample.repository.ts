import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import { result, statement, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';

/** Ordered by hash of the text, so that neither the order of uploads nor the question changes the sample. `$2` null: any language. */
const SAMPLE = statement(
  { body: result.text() },
  `SELECT s.body FROM (
     SELECT DISTINCT c.body FROM shown_documents d JOIN chunks c ON c.chunk_set_id = d.chunk_set_id
     WHERE d.dataset_id = ANY ($1::uuid[])
       AND ($2::text IS NULL OR d.language = $2) AND length(c.body) BETWEEN $3 AND $4) s
   ORDER BY md5(s.body), s.body LIMIT $5`,
);

/** Reads texts by which a language without probe texts is measured. */
@Injectable()
export class LanguageSampleRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** Texts of visible chunks of the datasets, each once, the first by their hashes. */
  async sample(
    ctx: RequestContext,
    datasetIds: readonly DatasetId[],
    language: string | null,
    lengths: { readonly least: number; readonly most: number },
    limit: number,
  ): Promise<string[]> {
    const rows = await this.query(ctx, SAMPLE, [datasetIds, language, lengths.least, lengths.most, limit]);
    return rows.map(({ body }) => body);
  }
}
