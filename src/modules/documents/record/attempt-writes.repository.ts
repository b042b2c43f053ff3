import type { EntityManager } from 'typeorm';
import { allColumnsOf, result, rowsOf, statement } from '#libs/database';
import type { GivenBackTask } from '#libs/tasks';
import type { AdvancedAttempt, Attempt, BegunDocument, CompletedAttempt, GivenBack } from './attempt.js';
import type { EventsOfDocument, NewDocumentEvent } from './document-events.repository.js';
import { DocumentEntity, type DocumentRow, type DocumentStatusName, type IngestionStage } from './document.entity.js';

/** A document whose attempt has begun, with its state before. */
interface Begun extends BegunDocument {
  /** Stage in which the last worker died; null: none died. */
  readonly lostAt: IngestionStage | null;
}

const BEGIN_ROWS = statement(
  {
    ...allColumnsOf(DocumentEntity),
    was_status: result.text<DocumentStatusName>(),
    was_stage: result.text<IngestionStage>(),
    database_ms: result.float,
  },
  `WITH a AS (SELECT * FROM unnest($1::uuid[], $2::bigint[]) AS a(id, token)),
   was AS (
     SELECT d.id, d.status, d.current_stage, a.token FROM a JOIN documents d ON d.id = a.id
     WHERE d.status IN ('pending', 'processing') AND d.deleted_at IS NULL AND d.quarantined_at IS NULL
       AND coalesce(d.fencing_token, 0) < a.token
     ORDER BY d.id FOR UPDATE OF d)
   UPDATE documents d SET status = 'processing', current_stage = 'parsing', fencing_token = was.token, waiting_reason = NULL,
     error = NULL, updated_at = now(), started_at = coalesce(d.started_at, now()),
     stored_metadata_seq = CASE WHEN d.visible_generation IS NULL THEN d.stored_metadata_seq ELSE -1 END
   FROM was WHERE d.id = was.id
   RETURNING d.*, was.status AS was_status, was.current_stage AS was_stage,
     (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS database_ms`,
);
const LOCK_OWNED = statement(
  allColumnsOf(DocumentEntity),
  `SELECT d.* FROM unnest($1::uuid[], $2::bigint[]) AS a(id, token)
   JOIN documents d ON d.id = a.id AND d.fencing_token = a.token
   WHERE d.status = 'processing' AND d.deleted_at IS NULL ORDER BY d.id FOR UPDATE OF d`,
);
const MOVE_ROWS = statement(
  {},
  `UPDATE documents d SET current_stage = m.next, progress = greatest(d.progress, m.progress), updated_at = now(),
     provider_waiting_since = CASE WHEN m.answered THEN NULL ELSE d.provider_waiting_since END,
     media_type = CASE WHEN m.told AND d.visible_generation IS NULL THEN m.media_type ELSE d.media_type END,
     charset = CASE WHEN m.told AND d.visible_generation IS NULL THEN m.charset ELSE d.charset END,
     language = CASE WHEN m.told AND d.visible_generation IS NULL THEN m.language ELSE d.language END,
     page_count = CASE WHEN m.told AND d.visible_generation IS NULL THEN m.page_count ELSE d.page_count END,
     fidelity = CASE WHEN m.told AND d.visible_generation IS NULL THEN m.fidelity ELSE d.fidelity END
   FROM unnest($1::uuid[], $2::text[], $3::real[], $4::boolean[], $5::text[], $6::text[], $7::text[], $8::int[], $9::jsonb[],
       $10::boolean[])
     AS m(id, next, progress, told, media_type, charset, language, page_count, fidelity, answered)
   WHERE d.id = m.id`,
);
const WAIT_AGAIN = statement(
  {},
  `UPDATE documents d SET status = 'pending', waiting_reason = g.reason, updated_at = now(),
     provider_waiting_since = CASE WHEN g.reason = 'provider_backoff' THEN coalesce(d.provider_waiting_since, now())
       ELSE d.provider_waiting_since END
   FROM unnest($1::uuid[], $2::text[]) AS g(id, reason) WHERE d.id = g.id`,
);
const SHOW_RESULTS = statement(
  {},
  `UPDATE documents d SET status = 'completed', current_stage = 'completed', progress = 100, error = NULL, waiting_reason = NULL,
     provider_waiting_since = NULL,
     visible_generation = d.fencing_token, visible_revision = d.revision, visible_revision_id = d.revision_id,
     visible_chunk_set_id = r.chunk_set, visibility_seq = $1, chunk_count = r.chunks, token_count = r.tokens,
     warnings = r.warnings, stored_metadata_seq = r.metadata_seq, ingested_policy_version = r.policy_version,
     media_type = coalesce(r.media_type, d.media_type),
     charset = CASE WHEN r.has_facts THEN r.charset ELSE d.charset END,
     language = CASE WHEN r.has_facts THEN r.language ELSE d.language END,
     page_count = CASE WHEN r.has_facts THEN r.page_count ELSE d.page_count END,
     fidelity = coalesce(r.fidelity, d.fidelity), completed_at = now(), updated_at = now()
   FROM unnest($2::uuid[], $3::uuid[], $4::int[], $5::bigint[], $6::jsonb[], $7::bigint[], $8::int[], $9::boolean[],
     $10::text[], $11::text[], $12::text[], $13::int[], $14::jsonb[])
     AS r(id, chunk_set, chunks, tokens, warnings, metadata_seq, policy_version, has_facts, media_type, charset, language, page_count, fidelity)
   WHERE d.id = r.id`,
);

/**
 * Begins attempts where that is allowed; rows are locked in the order of their ids until the transaction ends. An attempt may also change
 * the metadata of the document's shown rows in the vector store, so that metadata is not trusted until the attempt has completed or is
 * cleaned up.
 */
export async function beginRows(manager: EntityManager, attempts: readonly Attempt[]): Promise<Begun[]> {
  const rows = await rowsOf(manager, BEGIN_ROWS, [attempts.map((a) => a.documentId), attempts.map((a) => a.token)]);
  return rows
    .map(({ was_status: wasStatus, was_stage: wasStage, database_ms: databaseMs, ...row }) => ({
      row,
      attempt: { documentId: row.id, token: row.fencing_token! },
      databaseMs,
      lostAt: wasStatus === 'processing' ? wasStage : null,
    }))
    .sort((a, b) => (a.row.id < b.row.id ? -1 : 1));
}

/** Timeline events of a beginning attempt, at the time from which later durations are counted. */
export function beginning({ row, databaseMs, lostAt }: Begun): EventsOfDocument {
  const at = new Date(databaseMs);
  const started: NewDocumentEvent = { event: 'stage_started', stage: 'parsing', at };
  if (lostAt === null) return { id: row.id, events: [started] };
  const details = { reason: 'worker_lost' };
  return { id: row.id, events: [{ event: 'checkpoint_resumed', stage: lostAt, details, at }, started] };
}

/** Locks the rows whose attempts are still valid, in the order of their ids. */
export async function lockOwned(manager: EntityManager, attempts: readonly Attempt[]): Promise<DocumentRow[]> {
  return rowsOf(manager, LOCK_OWNED, [attempts.map((a) => a.documentId), attempts.map((a) => a.token)]);
}

/** Writes the progress of attempts. Parsed properties become visible at once only if no older generation is shown. */
export async function moveRows(manager: EntityManager, moves: readonly AdvancedAttempt[]): Promise<void> {
  const of = <T>(pick: (move: AdvancedAttempt) => T): T[] => moves.map(pick);
  await rowsOf(manager, MOVE_ROWS, [
    of((m) => m.attempt.documentId),
    of((m) => m.next),
    of((m) => m.progress),
    of((m) => m.facts !== undefined),
    of((m) => m.facts?.media_type ?? null),
    of((m) => m.facts?.charset ?? null),
    of((m) => m.facts?.language ?? null),
    of((m) => m.facts?.page_count ?? null),
    of((m) => (m.facts === undefined ? null : JSON.stringify(m.facts.fidelity))),
    of((m) => m.answered),
  ]);
}

/** Returns documents to `pending`, with their waiting reasons. */
export async function waitAgain(manager: EntityManager, items: readonly GivenBack[]): Promise<void> {
  await rowsOf(manager, WAIT_AGAIN, [
    items.map(({ attempt }) => attempt.documentId),
    items.map(({ wait }) => wait?.reason ?? null),
  ]);
}

/** Shows the generations of attempts, whose rows are already locked. `seq` is the change number of their dataset. */
export async function showResults(
  manager: EntityManager,
  ended: readonly { readonly row: DocumentRow; readonly result: CompletedAttempt }[],
  seq: string,
): Promise<void> {
  const of = <T>(pick: (completed: CompletedAttempt) => T): T[] => ended.map((one) => pick(one.result));
  await rowsOf(manager, SHOW_RESULTS, [
    seq,
    of((r) => r.attempt.documentId),
    of((r) => r.chunkSetId),
    of((r) => r.chunkCount),
    of((r) => r.tokenCount),
    of((r) => JSON.stringify(r.warnings)),
    of((r) => r.metadataSeq),
    of((r) => r.policyVersion),
    of((r) => r.facts !== null),
    of((r) => r.facts?.media_type ?? null),
    of((r) => r.facts?.charset ?? null),
    of((r) => r.facts?.language ?? null),
    of((r) => r.facts?.page_count ?? null),
    of((r) => (r.facts === null ? null : JSON.stringify(r.facts.fidelity))),
  ]);
}

/** An attempt that is given back together with its task. */
export function toTask({ attempt, wait, counts, alone }: GivenBack): GivenBackTask {
  const waiting = { waitMs: wait?.ms ?? null, waitingReason: wait?.reason ?? null };
  return { id: attempt.documentId, token: attempt.token, ...waiting, counts, alone };
}
