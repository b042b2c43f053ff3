import { SQL_NOW } from '#libs/database';
import { activeTenants } from '#libs/tasks';

/** Maximum size in bytes of a document that may be taken together with others of its dataset. */
export const BATCHED_BYTES = 64 * 1024;
/** Size in bytes above which a document is large. The index of waiting tasks contains the same number. */
export const LARGE_BYTES = 1024 * 1024;
/** Number of tasks after the first one that are considered for the same run. */
const COMPANY_WINDOW = 256;

const READY = `kind = 'ingestion' AND lease_owner IS NULL AND not_before IS NULL`;
/** The same expression as in the index of waiting tasks. */
const SIZE_CLASS = `(CASE WHEN size_bytes > ${LARGE_BYTES} THEN 1 ELSE 0 END)`;
const IS_LARGE = `(size_bytes > ${LARGE_BYTES})`;

/** The first waiting task of tenant `w` in a lane (a priority, large or not), with one access to the index. */
function lane(priority: number, sizeClass: 0 | 1): string {
  return `(SELECT id, group_id, priority, queued_at, size_bytes, tries, alone FROM tasks
           WHERE ${READY} AND tenant_id = w.tenant_id AND priority = ${priority} AND ${SIZE_CLASS} = ${sizeClass}
           ORDER BY queued_at LIMIT 1)`;
}

/**
 * Claims the next tasks with leases. Parameters: $1 worker, $2 owner of the leases (`worker/run`), $3 seconds of a lease, $4 most documents
 * at once, $5 most runs of one tenant on this worker, $6 most large documents of this worker, $7 the same of one tenant, $8 whether a large
 * document goes first when none runs on this worker, $9 seconds after which a large one goes before newer small ones (null: never), $10
 * most runs of one tenant on this worker while other tenants are active.
 *
 * No row means that no waiting task is within the limits. One row of nulls means that there is one, but another transaction has locked it
 * at this moment: another worker is taking it, or its heartbeat, cancellation or enqueuing is being written.
 *
 * Tenants with waiting tasks are found with one access to the index each, however many tasks they have. The tenant with the fewest runs
 * comes first, then the one served longest ago.
 */
export const CLAIM = `
WITH RECURSIVE waiting AS (
  (SELECT tenant_id FROM tasks WHERE ${READY} ORDER BY tenant_id LIMIT 1)
  UNION ALL
  SELECT (SELECT t.tenant_id FROM tasks t WHERE ${READY} AND t.tenant_id > waiting.tenant_id ORDER BY t.tenant_id LIMIT 1)
  FROM waiting WHERE waiting.tenant_id IS NOT NULL
), running AS (
  SELECT tenant_id, count(DISTINCT lease_owner)::int AS runs,
    count(DISTINCT lease_owner) FILTER (WHERE starts_with(lease_owner, $1::text))::int AS here,
    count(*) FILTER (WHERE starts_with(lease_owner, $1::text) AND ${IS_LARGE})::int AS large
  FROM tasks WHERE kind = 'ingestion' AND lease_expires_at > ${SQL_NOW} GROUP BY tenant_id
), ${activeTenants("'ingestion'")}, here AS (
  SELECT coalesce(sum(large), 0)::int AS large FROM running
), head AS (
  SELECT w.tenant_id, first.* FROM (
    SELECT waiting.tenant_id, coalesce(r.runs, 0) AS runs, coalesce(r.large, 0) AS large, u.served_at
    FROM waiting CROSS JOIN active
    LEFT JOIN running r USING (tenant_id) LEFT JOIN task_turns u ON u.kind = 'ingestion' AND u.tenant_id = waiting.tenant_id
    WHERE waiting.tenant_id IS NOT NULL AND coalesce(r.here, 0) < CASE WHEN active.tenants > 1 THEN $10::int ELSE $5::int END
  ) w CROSS JOIN here CROSS JOIN LATERAL (
    SELECT c.* FROM (${lane(0, 0)} UNION ALL ${lane(0, 1)} UNION ALL ${lane(1, 0)} UNION ALL ${lane(1, 1)}) c
    WHERE NOT ${IS_LARGE} OR (here.large < $6::int AND w.large < $7::int)
    ORDER BY (${IS_LARGE} AND (($8::boolean AND here.large = 0) OR c.queued_at < now() - make_interval(secs => $9::int))) DESC NULLS LAST,
      c.priority, ${IS_LARGE}, c.queued_at LIMIT 1
  ) first
  ORDER BY w.runs, w.served_at NULLS FIRST LIMIT 1
), chosen AS (
  SELECT id FROM head
  UNION
  SELECT company.id FROM head CROSS JOIN LATERAL (
    SELECT near.id FROM (
      SELECT t.* FROM tasks t WHERE ${READY} AND t.tenant_id = head.tenant_id AND t.priority = head.priority
        AND (CASE WHEN t.size_bytes > ${LARGE_BYTES} THEN 1 ELSE 0 END) = 0 AND t.queued_at >= head.queued_at ORDER BY t.queued_at LIMIT ${COMPANY_WINDOW}
    ) near
    WHERE near.group_id = head.group_id AND near.size_bytes <= ${BATCHED_BYTES} AND near.tries = 0 AND NOT near.alone
    ORDER BY near.queued_at LIMIT $4::int
  ) company
  WHERE head.size_bytes <= ${BATCHED_BYTES} AND head.tries = 0 AND NOT head.alone
  LIMIT $4::int
), locked AS (
  SELECT id FROM tasks WHERE id IN (SELECT id FROM chosen) AND ${READY}
  ORDER BY id FOR UPDATE SKIP LOCKED
), claimed AS (
  UPDATE tasks t SET lease_owner = $2::text, lease_expires_at = now() + make_interval(secs => $3::float8),
    fencing_token = nextval('fencing_tokens'), tries = t.tries + 1, waiting_reason = NULL
  FROM locked WHERE t.id = locked.id
  RETURNING t.id, t.tenant_id, t.fencing_token, t.tries, t.size_bytes, t.request_id
), turn AS (
  INSERT INTO task_turns (kind, tenant_id) SELECT DISTINCT 'ingestion', tenant_id FROM claimed
  ON CONFLICT (kind, tenant_id) DO UPDATE SET served_at = clock_timestamp()
)
SELECT claimed.id AS "documentId", claimed.tenant_id AS "tenantId", claimed.fencing_token AS token, claimed.tries,
  claimed.size_bytes::float8 AS "sizeBytes", claimed.request_id AS "requestId"
FROM (SELECT count(*) AS chosen FROM chosen) c LEFT JOIN claimed ON true WHERE c.chosen > 0 ORDER BY claimed.id`;
