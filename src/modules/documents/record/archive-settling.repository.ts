import type { EntityManager } from 'typeorm';
import type { JsonObject } from '#libs/common';
import { allColumnsOf, columnsOf, result, rowsOf, statement, type TransactionContext } from '#libs/database';
import { DOCUMENT_COMPLETED, DOCUMENT_COMPLETED_WITH_WARNINGS } from '../documents.events.js';
import type { DomainEvents } from '#libs/events';
import { DatasetEntity } from '../../datasets/index.js';
import { DocumentEntity, type DocumentRow, type DocumentStatusName } from './document.entity.js';
import { appendEventsOfAll, type NewDocumentEvent } from './document-events.repository.js';
import { factsOf } from './event-payloads.js';

/** Code of the warning about failed files of an archive. */
export const ARCHIVE_PARTS_FAILED = 'ARCHIVE_PARTS_FAILED';
/** Maximum number of failed files that the warning names. */
const MOST_NAMED = 10;
/** Maximum number of characters of a reason in the warning. */
const MOST_REASON = 160;

/** An archive whose status was derived from its files, with the status before. */
type Followed = DocumentRow & { readonly was_status: DocumentStatusName };

const HOLD_DATASETS = statement(
  columnsOf(DatasetEntity, 'id'),
  `SELECT s.id FROM datasets s WHERE s.id IN (
     SELECT d.dataset_id FROM documents d WHERE d.id = ANY ($1::uuid[]) AND (d.archive_id IS NOT NULL OR d.split_revision_id IS NOT NULL))
   ORDER BY s.id FOR NO KEY UPDATE`,
);
const HOLD = statement(
  columnsOf(DocumentEntity, 'id'),
  `SELECT id FROM documents WHERE id = ANY ($1::uuid[]) AND split_revision_id IS NOT NULL AND deleted_at IS NULL ORDER BY id FOR UPDATE`,
);
/** Updates the number of searchable files of archives, whatever their status. */
const COUNT_SEARCHABLE = statement(
  {},
  `UPDATE documents a SET searchable_parts = n.parts FROM (
     SELECT i.id, count(d.id)::int AS parts FROM unnest($1::uuid[]) AS i(id) LEFT JOIN documents d ON d.archive_id = i.id
       AND d.deleted_at IS NULL AND d.visible_generation IS NOT NULL AND d.quarantined_at IS NULL AND d.chunk_count > 0
     GROUP BY i.id) n
   WHERE a.id = n.id AND a.searchable_parts <> n.parts`,
);
const OTHER_WARNINGS = `(SELECT coalesce(jsonb_agg(w.value ORDER BY w.n), '[]') FROM jsonb_array_elements(a.warnings) WITH ORDINALITY AS w(value, n)
     WHERE w.value ->> 'code' <> '${ARCHIVE_PARTS_FAILED}')`;
/** Text about a failed file `d`. */
const FAILED_NAME = `format('%s (%s: %s)', d.path, d.error ->> 'code', rtrim(left(d.error ->> 'message', ${MOST_REASON}), '.'))`;
/** The warning for a row `n` with the number of files (`total`), of failed files (`failed`), and the names of some failed ones. */
const PARTS_FAILED = `CASE WHEN n.failed = 0 THEN '[]' ELSE jsonb_build_array(jsonb_build_object('code', '${ARCHIVE_PARTS_FAILED}', 'detail',
     format('%s of %s files of the archive have failed: %s%s GET /documents/ with archive_id and status=failed names each with its reason; a retry of the archive tries them again.',
       n.failed, n.total, n.names, CASE WHEN n.failed > ${MOST_NAMED} THEN format('; and %s more.', n.failed - ${MOST_NAMED}) ELSE '.' END))) END`;
const FOLLOW = statement(
  { ...allColumnsOf(DocumentEntity), was_status: result.text<DocumentStatusName>() },
  `WITH n AS (
     SELECT i.id, count(d.id)::int AS total, count(d.id) FILTER (WHERE d.status IN ('pending', 'processing'))::int AS open,
       count(d.id) FILTER (WHERE d.status = 'failed')::int AS failed,
       array_to_string((array_agg(${FAILED_NAME} ORDER BY d.path) FILTER (WHERE d.status = 'failed'))[1:${MOST_NAMED}], '; ') AS names
     FROM unnest($1::uuid[]) AS i(id) LEFT JOIN documents d ON d.archive_id = i.id AND d.deleted_at IS NULL GROUP BY i.id),
   was AS (SELECT id, status FROM documents WHERE id = ANY ($1::uuid[]))
   UPDATE documents a SET part_count = n.total, open_parts = n.open, failed_parts = n.failed,
     status = CASE WHEN n.open > 0 THEN 'processing' ELSE 'completed' END,
     current_stage = CASE WHEN n.open > 0 THEN 'parsing' ELSE 'completed' END,
     attempt = a.attempt + CASE WHEN was.status = 'completed' AND n.open > 0 THEN 1 ELSE 0 END,
     progress = CASE WHEN n.open = 0 THEN 100
       ELSE greatest(CASE WHEN was.status = 'completed' THEN 0 ELSE a.progress END, least(99.9, 100.0 * (n.total - n.open) / n.total)) END,
     warnings = ${OTHER_WARNINGS} || ${PARTS_FAILED},
     ingested_policy_version = CASE WHEN n.open = 0 THEN a.policy_version ELSE a.ingested_policy_version END,
     completed_at = CASE WHEN n.open > 0 THEN NULL WHEN was.status = 'completed' THEN a.completed_at ELSE now() END,
     error = NULL, waiting_reason = NULL, updated_at = now()
   FROM n JOIN was ON was.id = n.id
   WHERE a.id = n.id AND a.split_revision_id = a.revision_id AND a.status IN ('processing', 'completed') AND a.deleted_at IS NULL
   RETURNING a.*, was.status AS was_status`,
);

/**
 * Updates the counts by the files that have just ended, without reading the others. Leaves out archives that were never counted or have no
 * open file left.
 */
const COUNT_ENDS = statement(
  columnsOf(DocumentEntity, 'id'),
  `WITH n AS (
     SELECT a.id, a.part_count AS total, a.open_parts - e.ended AS open, a.failed_parts + e.failed AS failed, e.failed AS added, e.searchable,
       CASE WHEN e.failed > 0 THEN array_to_string(ARRAY(SELECT f.name FROM (
         SELECT d.path, ${FAILED_NAME} AS name FROM documents d WHERE d.archive_id = a.id AND d.status = 'failed' AND d.deleted_at IS NULL LIMIT ${MOST_NAMED}) f
         ORDER BY f.path), '; ') END AS names
     FROM unnest($1::uuid[], $2::int[], $3::int[], $4::int[]) AS e(id, ended, failed, searchable) JOIN documents a ON a.id = e.id
     WHERE a.part_count > 0 AND EXISTS (
       SELECT FROM documents d WHERE d.archive_id = a.id AND d.status IN ('pending', 'processing') AND d.deleted_at IS NULL))
   UPDATE documents a SET open_parts = n.open, failed_parts = n.failed, searchable_parts = a.searchable_parts + n.searchable,
     progress = greatest(a.progress, least(99.9, 100.0 * (n.total - n.open) / n.total)),
     warnings = CASE WHEN n.added = 0 THEN a.warnings ELSE ${OTHER_WARNINGS} || ${PARTS_FAILED} END, updated_at = now()
   FROM n WHERE a.id = n.id AND a.split_revision_id = a.revision_id AND a.status = 'processing' AND a.deleted_at IS NULL
   RETURNING a.id`,
);

/** A file of an archive whose attempt has ended, with its row before that. */
export interface EndedPart {
  readonly row: DocumentRow;
  readonly hasFailed: boolean;
  /** Whether a search can now find something of it, unless it is in quarantine. */
  readonly isShown: boolean;
}

/** Whether the status of an archive follows its files: it was split at its latest revision. */
export function followsParts(row: Pick<DocumentRow, 'split_revision_id' | 'revision_id'>): boolean {
  return row.split_revision_id !== null && row.split_revision_id === row.revision_id;
}

/**
 * Locks the datasets of those documents that are archives or files of archives. Ending a file locks its archive next, and moving an archive
 * locks its files next, so both must lock the dataset first. Call this before any document is locked.
 */
export async function holdDatasetsOfArchives(manager: EntityManager, documentIds: readonly string[]): Promise<void> {
  if (documentIds.length > 0) await rowsOf(manager, HOLD_DATASETS, [documentIds]);
}

/** The archives that the documents belong to, each once. */
export function archivesOf(rows: readonly Pick<DocumentRow, 'archive_id'>[]): string[] {
  return [...new Set(rows.flatMap(({ archive_id: id }) => (id === null ? [] : [id])))];
}

/**
 * Updates the status of archives in the transaction that changed their files: `processing` until all files have ended, then `completed`.
 * Resolves to the archives whose status follows their files, after the update. Their dataset must be locked.
 */
export async function settleArchives(
  ctx: TransactionContext,
  manager: EntityManager,
  events: DomainEvents,
  archiveIds: readonly string[],
): Promise<DocumentRow[]> {
  if (archiveIds.length === 0) return [];
  // A separate statement, so that the counts below see what was committed while this waited.
  const held = (await rowsOf(manager, HOLD, [archiveIds])).map(({ id }) => id);
  if (held.length === 0) return [];
  await rowsOf(manager, COUNT_SEARCHABLE, [held]);
  const rows: Followed[] = await rowsOf(manager, FOLLOW, [held]);
  const ended = rows.filter((row) => row.was_status === 'processing' && row.status === 'completed');
  await appendEventsOfAll(
    manager,
    ctx.tenantId,
    ended.map((row) => ({ id: row.id, events: eventsOfEnd(row) })),
  );
  await publishEnds(ctx, events, ended);
  return rows.map(({ was_status: _, ...row }) => row);
}

/**
 * The same after attempts on files have ended and nothing else has changed since the last update. The cost does not depend on the number of
 * files of the archive, except when the last one has ended. Documents that do not belong to an archive are ignored.
 */
export async function settleEnds(
  ctx: TransactionContext,
  manager: EntityManager,
  events: DomainEvents,
  parts: readonly EndedPart[],
): Promise<void> {
  const ids = archivesOf(parts.map(({ row }) => row));
  if (ids.length === 0) return;
  await rowsOf(manager, HOLD, [ids]);
  const sums = ids.map((id) => sumOf(parts.filter(({ row }) => row.archive_id === id)));
  const counted = await rowsOf(manager, COUNT_ENDS, [
    ids,
    sums.map(({ ended }) => ended),
    sums.map(({ failed }) => failed),
    sums.map(({ searchable }) => searchable),
  ]);
  const done = new Set<string>(counted.map(({ id }) => id));
  await settleArchives(
    ctx,
    manager,
    events,
    ids.filter((id) => !done.has(id)),
  );
}

function sumOf(parts: readonly EndedPart[]): { ended: number; failed: number; searchable: number } {
  const count = (fits: (part: EndedPart) => boolean): number => parts.filter(fits).length;
  const found = parts.filter(({ row }) => row.quarantined_at === null);
  const before = found.filter(({ row }) => row.visible_generation !== null && row.chunk_count > 0).length;
  return {
    ended: parts.length,
    failed: count(({ hasFailed }) => hasFailed),
    searchable: found.filter(({ isShown }) => isShown).length - before,
  };
}

function eventsOfEnd({ warnings, fidelity, started_at: began, completed_at: ended }: DocumentRow): NewDocumentEvent[] {
  const ms: JsonObject = began === null || ended === null ? {} : { ms: ended.getTime() - began.getTime() };
  const told = warnings.filter(({ code }) => code === ARCHIVE_PARTS_FAILED);
  const warned = told.map((warning) => ({ event: 'warning', details: { ...warning } }) as const);
  return [...warned, { event: 'completed', details: { files: fidelity['files'] ?? 0, ...ms } }];
}

async function publishEnds(
  ctx: TransactionContext,
  events: DomainEvents,
  ended: readonly DocumentRow[],
): Promise<void> {
  const factsOfEnd = (row: DocumentRow) => {
    const size = { page_count: null, size_bytes: Number(row.size_bytes) };
    return { ...factsOf(row), chunk_count: 0, token_count: 0, ...size };
  };
  const plain = ended.filter(({ warnings }) => warnings.length === 0);
  const remarked = ended.filter(({ warnings }) => warnings.length > 0);
  await events.publish(ctx, DOCUMENT_COMPLETED, plain.map(factsOfEnd));
  await events.publish(
    ctx,
    DOCUMENT_COMPLETED_WITH_WARNINGS,
    remarked.map((row) => ({ ...factsOfEnd(row), warnings: [...new Set(row.warnings.map(({ code }) => code))] })),
  );
}
