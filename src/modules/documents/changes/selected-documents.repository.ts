import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import { columnsOf, result, statement, statementFamily, TenantRepository, UnitOfWork } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess, type SqlCondition } from '../../datasets/index.js';
import type { DocumentConditions, DocumentSelection } from './document-selection.js';
import { DocumentEntity } from '../record/document.entity.js';
import { MAX_BULK_IDS } from './bulk.dto.js';

/** Maximum number of documents of one transaction. */
const BATCH = MAX_BULK_IDS;

const READ_CLOCK = statement({ at: result.time }, `SELECT clock_timestamp() + interval '1 millisecond' AS at`);

/** SQL conditions on the document `d` besides its dataset and time, with placeholders from `$4` on. */
function conditionOf(where: DocumentConditions): SqlCondition {
  const parameters: unknown[] = [];
  const conditions: string[] = [];
  const add = (value: unknown, sql: (n: string) => string): void => {
    if (value === undefined) return;
    parameters.push(value);
    conditions.push(` AND ${sql(`$${parameters.length + 3}`)}`);
  };
  add(where.status, (n) => `d.status = ${n}`);
  add(where.tag, (n) => `${n} = ANY (d.tags)`);
  add(where.policyVersionLt, (n) => `coalesce(d.ingested_policy_version, d.policy_version) < ${n}`);
  add(where.createdBefore?.getTime(), (n) => `d.created_at < to_timestamp(${n}::double precision / 1000)`);
  add(
    where.metadata === undefined ? undefined : JSON.stringify(where.metadata),
    (n) =>
      `NOT EXISTS (SELECT 1 FROM jsonb_each(${n}::jsonb) AS w(key, value) WHERE d.metadata -> w.key IS DISTINCT FROM w.value)`,
  );
  return { sql: conditions.join(''), parameters };
}

const LIST_IDS = statementFamily(
  columnsOf(DocumentEntity, 'id'),
  (wanted: string) =>
    `SELECT d.id FROM documents d
     WHERE d.dataset_id = $1 AND d.deleted_at IS NULL AND d.created_at <= $2 AND ($3::uuid IS NULL OR d.id > $3)${wanted}
     ORDER BY d.id LIMIT ${BATCH}`,
  [{}, { status: 'pending', tag: '', policyVersionLt: 1, createdBefore: new Date(0), metadata: {} } as const].map(
    (where) => [conditionOf(where).sql] as const,
  ),
);

/** Iterates over the documents that a batch selects. */
@Injectable()
export class SelectedDocuments extends TenantRepository {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly access: DatasetAccess,
  ) {
    super(unitOfWork);
  }

  /**
   * Passes the selected documents to `work` in batches of at most 500, one after another. `work` runs each batch in a transaction of its
   * own, or, if `ctx` has a transaction, all batches in that one. Ids that a caller named keep their order, visible or not; ids from a
   * condition come in ascending order and only as far as the documents existed at the beginning.
   * @throws `datasets.not_found` for a dataset that the caller does not see.
   */
  async forEachBatch(
    ctx: RequestContext,
    selection: DocumentSelection,
    work: (ids: readonly string[]) => Promise<void>,
  ): Promise<void> {
    if (selection.kind === 'ids') {
      for (let from = 0; from < selection.ids.length; from += BATCH)
        await work(selection.ids.slice(from, from + BATCH));
      return;
    }
    const dataset = await this.access.requireVisible(ctx, selection.datasetId);
    const began = await this.readClock(ctx);
    for (let after: string | null = null; ;) {
      const ids: string[] = await this.listIds(ctx, dataset.id, selection.conditions, began, after);
      if (ids.length > 0) await work(ids);
      if (ids.length < BATCH) return;
      after = ids.at(-1)!;
    }
  }

  private async readClock(ctx: RequestContext): Promise<Date> {
    // Times of documents are rounded to milliseconds, so a document that exists already may seem to be made up to half a millisecond later.
    const row = await this.queryOne(ctx, READ_CLOCK);
    return row!.at;
  }

  private async listIds(
    ctx: RequestContext,
    datasetId: DatasetId,
    where: DocumentConditions,
    began: Date,
    after: string | null,
  ): Promise<string[]> {
    const wanted = conditionOf(where);
    const rows = await this.query(ctx, LIST_IDS.of(wanted.sql), [datasetId, began, after, ...wanted.parameters]);
    return rows.map((row) => row.id);
  }
}
