import { Injectable } from '@nestjs/common';
import { allColumnsOf, statement, TenantRepository, UnitOfWork, type TransactionContext } from '#libs/database';
import { removeTasks } from '#libs/tasks';
import { DocumentEntity, type DocumentRow } from './document.entity.js';
import { appendEventsOfAll } from './document-events.repository.js';
import { NEXT_ATTEMPT } from './document-moves.repository.js';

const WANTED_WHOLE = `EXISTS (SELECT 1 FROM datasets s JOIN policy_versions p ON p.dataset_id = s.id AND p.version = s.policy_version
     WHERE s.id = d.dataset_id AND coalesce(p.policy #>> '{parsing,archive}', 'whole') = 'whole')`;
/** Archives whose bytes contain something deleted, withheld or removed must not become one text, because it would appear again. */
const MAY_BE_WHOLE = `EXISTS (SELECT 1 FROM document_revisions r WHERE r.id = d.revision_id AND coalesce(r.content_guard, 'masked') = 'masked')
     AND NOT EXISTS (SELECT 1 FROM documents f WHERE f.archive_id = d.id AND (f.deleted_at IS NOT NULL OR f.quarantined_at IS NOT NULL))`;
/** The files stay shown until the text is there; they then belong to no present revision, as after the upload of a new one. */
const BECOME_WHOLE = statement(
  allColumnsOf(DocumentEntity),
  `UPDATE documents d SET ${NEXT_ATTEMPT}, current_stage = 'parsing', policy_version = s.policy_version, split_revision_id = d.id
   FROM datasets s WHERE s.id = d.dataset_id AND d.id = ANY ($1::uuid[]) AND d.status = 'completed'
     AND d.split_revision_id = d.revision_id AND ${WANTED_WHOLE} AND ${MAY_BE_WHOLE} RETURNING d.*`,
);
/** Archives that were to become one text but have lost a file meanwhile. */
const STAY_SPLIT = statement(
  allColumnsOf(DocumentEntity),
  `UPDATE documents d SET split_revision_id = d.revision_id, policy_version = coalesce(d.ingested_policy_version, d.policy_version),
     status = CASE WHEN d.status = 'quarantined' THEN d.status ELSE 'completed' END, current_stage = 'completed', progress = 100, error = NULL,
     waiting_reason = NULL, completed_at = now(), updated_at = now()
   WHERE d.id = ANY ($1::uuid[]) AND d.split_revision_id = d.id RETURNING d.*`,
);
const STAYS_SPLIT = {
  code: 'ARCHIVE_STAYS_SPLIT',
  detail:
    'The policy treats archives as one text, but the files of this one stay documents of their own: one of them was deleted, quarantined or rejected, and its text would appear again. Upload the archive again to have one text.',
};
/**
 * Sets the warning `ARCHIVE_STAYS_SPLIT` on archives that stay split although the policy treats them as one text, and removes it from
 * others.
 */
const TELL_STAYS_SPLIT = statement(
  {},
  `UPDATE documents d SET warnings = (SELECT coalesce(jsonb_agg(w.value ORDER BY w.n), '[]') FROM jsonb_array_elements(d.warnings)
       WITH ORDINALITY AS w(value, n) WHERE w.value ->> 'code' <> '${STAYS_SPLIT.code}')
     || CASE WHEN ${WANTED_WHOLE} THEN $2::jsonb ELSE '[]' END
   WHERE d.id = ANY ($1::uuid[]) AND d.split_revision_id = d.revision_id`,
);

/** Turns split archives into one text when the policy no longer splits them. */
@Injectable()
export class WholeArchivesRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** Split archives that the present policy treats as one text, `completed` → `pending`; those that stay split get a warning. */
  async becomeWhole(ctx: TransactionContext, archiveIds: readonly string[]): Promise<DocumentRow[]> {
    if (archiveIds.length === 0) return [];
    const rows = await this.query(ctx, BECOME_WHOLE, [archiveIds]);
    await this.query(ctx, TELL_STAYS_SPLIT, [archiveIds, JSON.stringify([STAYS_SPLIT])]);
    return rows;
  }

  /**
   * Archives that were to become one text but must not any more, because one of their files was deleted or withheld; they are split again
   * as before.
   */
  async staySplit(ctx: TransactionContext, archiveIds: readonly string[]): Promise<void> {
    if (archiveIds.length === 0) return;
    const rows = await this.query(ctx, STAY_SPLIT, [archiveIds]);
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    await this.query(ctx, TELL_STAYS_SPLIT, [ids, JSON.stringify([STAYS_SPLIT])]);
    await this.unitOfWork.asSystem(ctx, (system) => removeTasks(system, ids));
    const documents = rows.map(({ id }) => ({ id, events: [{ event: 'cancelled' } as const] }));
    await this.unitOfWork.run(ctx, (manager) => appendEventsOfAll(manager, ctx.tenantId, documents));
  }
}
