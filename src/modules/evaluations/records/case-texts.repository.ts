import { Injectable } from '@nestjs/common';
import { newId } from '#libs/common';
import { columnsOf, result, statement, TenantRepository, UnitOfWork, type TransactionContext } from '#libs/database';
import type { RequestContext } from '#libs/tenancy';
import { isOpen } from '../../documents/index.js';
import { CaseTextEntity } from './case-text.entity.js';
import type { EvaluationCase } from '../cases/evaluation-case.js';

/** Owner of cases: a version of a set, or an evaluation. */
export type CaseOwner = { readonly caseSetId: string; readonly version: number } | { readonly jobId: string };

/** A case with its place among those of its owner. */
export interface PlacedCase {
  readonly place: number;
  readonly one: EvaluationCase;
  /** Its text stood in the document that it was made of, and does not any more. */
  readonly outdated?: boolean;
}

/** Of a document that is deleted or in quarantine nothing is kept; the lock lets none be closed in between, which removes its rows. */
const HOLD = statement(
  { id: result.uuid() },
  `SELECT d.id FROM documents d WHERE d.id = ANY ($1::uuid[]) AND d.dataset_id = ANY ($2::uuid[]) AND ${isOpen('d')} ORDER BY d.id FOR SHARE`,
);
const ADD = statement(
  {},
  `INSERT INTO evaluation_case_texts (id, tenant_id, case_set_id, version, job_id, ordinal, document_id, approved, content, evidence)
   SELECT t.id, $1, $2, $3, $4, t.ordinal, t.document_id, t.approved, t.content,
     CASE WHEN (t.content ->> 'generated')::boolean THEN 'standing' ELSE 'unknown' END
   FROM unnest($5::uuid[], $6::int[], $7::uuid[], $8::boolean[], $9::jsonb[]) AS t(id, ordinal, document_id, approved, content)
   ON CONFLICT DO NOTHING`,
);
const LIST = statement(
  columnsOf(CaseTextEntity, 'ordinal', 'document_id', 'content', 'evidence'),
  `SELECT ordinal, document_id, content, evidence FROM evaluation_case_texts
   WHERE case_set_id IS NOT DISTINCT FROM $1::uuid AND version IS NOT DISTINCT FROM $2::int AND job_id IS NOT DISTINCT FROM $3::uuid
     AND (case_set_id = $1::uuid OR job_id = $3::uuid)
   ORDER BY ordinal`,
);
const FORGET_BEFORE = statement({}, `DELETE FROM evaluation_case_texts WHERE case_set_id = $1 AND version < $2`);

/** Cases generated from documents; each is removed with its document. Callers have checked that the owner is visible. */
@Injectable()
export class CaseTextsRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** Stores the cases whose document is still visible in one of the datasets; resolves to the positions of the others. */
  async keep(
    ctx: TransactionContext,
    owner: CaseOwner,
    cases: readonly PlacedCase[],
    datasetIds: readonly string[],
  ): Promise<readonly number[]> {
    const sourced = cases.filter(({ one }) => one.source_document_id !== undefined);
    if (sourced.length === 0) return [];
    const sources = [...new Set(sourced.map(({ one }) => one.source_document_id!))];
    const held = await this.query(ctx, HOLD, [sources, datasetIds]);
    const open = new Set(held.map(({ id }) => id));
    const kept = sourced.filter(({ one }) => open.has(one.source_document_id!));
    await this.query(ctx, ADD, [
      ctx.tenantId,
      ...columnsOfOwner(owner),
      kept.map(() => newId()),
      kept.map(({ place }) => place),
      kept.map(({ one }) => one.source_document_id!),
      kept.map(({ one }) => one.approved),
      kept.map(({ one }) => JSON.stringify(one)),
    ]);
    return sourced.filter(({ one }) => !open.has(one.source_document_id!)).map(({ place }) => place);
  }

  /** By their places; those whose document is gone are missing. */
  async list(ctx: RequestContext, owner: CaseOwner): Promise<PlacedCase[]> {
    const rows = await this.query(ctx, LIST, columnsOfOwner(owner));
    return rows.map(({ ordinal, document_id: source, content, evidence }) => ({
      place: ordinal,
      one: { ...content, source_document_id: source },
      outdated: evidence === 'gone',
    }));
  }

  /** Removes those of versions before this one. */
  async forgetBefore(ctx: TransactionContext, caseSetId: string, version: number): Promise<void> {
    await this.query(ctx, FORGET_BEFORE, [caseSetId, version]);
  }
}

/** What is in the list of cases: null where the case lies in a row. */
export function storedCases(cases: readonly EvaluationCase[]): (EvaluationCase | null)[] {
  return cases.map((one) => (one.source_document_id === undefined ? one : null));
}

/** Both together, by their places. */
export function mergeCases(
  stored: readonly (EvaluationCase | null)[],
  rows: readonly PlacedCase[],
): readonly PlacedCase[] {
  const own = stored.flatMap((one, place) => (one === null ? [] : [{ place, one }]));
  return [...own, ...rows].sort((a, b) => a.place - b.place);
}

function columnsOfOwner(owner: CaseOwner): [string | null, number | null, string | null] {
  return 'jobId' in owner ? [null, null, owner.jobId] : [owner.caseSetId, owner.version, null];
}
