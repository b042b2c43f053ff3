import { Injectable } from '@nestjs/common';
import { allColumnsOf, statement, TenantRepository, UnitOfWork, type TransactionContext } from '#libs/database';
import { removeTasks } from '#libs/tasks';
import { DocumentEntity, type DocumentRow } from './document.entity.js';
import { appendEventsOfAll } from './document-events.repository.js';
import { NEXT_ATTEMPT } from './document-moves.repository.js';

const WANTED_WHOLE = `EXISTS (SELECT 1 FROM datasets s JOIN policy_versions p ON p.dataset_id = s.id AND p.version = s.policy_version
     WHERE s.id = d.dataset_id AND coalesce(p.policy #>> '{parsing,archive}', 'whole') = 'whole')`;
/** Bytes that hold what was deleted, is kept back or was removed make no text: it would come back with the others. */
const MAY_BE_WHOLE = `EXISTS (SELECT 1 FROM document_revisions r WHERE r.id = d.revision_id AND coalesce(r.content_guard, 'masked') = 'masked')
     AND NOT EXISTS (SELECT 1 FROM documents f WHERE f.archive_id = d.id AND (f.deleted_at IS NOT NULL OR f.quarantined_at IS NOT NULL))`;
/** The files stay what is shown until the text is there: they are those of no revision, as after an upload of the next one. */
const BECOME_WHOLE = statement(
  allColumnsOf(DocumentEntity),
  `UPDATE documents d SET ${NEXT_ATTEMPT}, current_stage = 'parsing', policy_version = s.policy_version, split_revision_id = d.id
   FROM datasets s WHERE s.id = d.dataset_id AND d.id = ANY ($1::uuid[]) AND d.status = 'completed'
     AND d.split_revision_id = d.revision_id AND ${WANTED_WHOLE} AND ${MAY_BE_WHOLE} RETURNING d.*`,
);
/** Of the archives that were to become one text those that have lost a file meanwhile. */
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
    'The policy takes archives for one text. This one stays a folder: a file of it was deleted, is in quarantine or was rejected, and its text would come back. Upload the archive again to have one text.',
};
/** Tells of archives that stay folders although the policy takes them for one text, and no longer of others. */
const TELL_STAYS_SPLIT = statement(
  {},
  `UPDATE documents d SET warnings = (SELECT coalesce(jsonb_agg(w.value ORDER BY w.n), '[]') FROM jsonb_array_elements(d.warnings)
       WITH ORDINALITY AS w(value, n) WHERE w.value ->> 'code' <> '${STAYS_SPLIT.code}')
     || CASE WHEN ${WANTED_WHOLE} THEN $2::jsonb ELSE '[]' END
   WHERE d.id = ANY ($1::uuid[]) AND d.split_revision_id = d.revision_id`,
);

/** Archives whose policy no longer takes them for folders. */
@Injectable()
export class WholeArchivesRepository extends TenantRepository {
  constructor(unitOfWork: UnitOfWork) {
    super(unitOfWork);
  }

  /** Split archives that the present policy takes for one text, `completed` → `pending`; those that stay folders say so. */
  async becomeWhole(ctx: TransactionContext, archiveIds: readonly string[]): Promise<DocumentRow[]> {
    if (archiveIds.length === 0) return [];
    const rows = await this.query(ctx, BECOME_WHOLE, [archiveIds]);
    await this.query(ctx, TELL_STAYS_SPLIT, [archiveIds, JSON.stringify([STAYS_SPLIT])]);
    return rows;
  }

  /** Archives that were to become one text and may no longer, because a file of them was taken away: they are folders as before. */
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
