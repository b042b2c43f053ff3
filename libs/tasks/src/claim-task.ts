import type { JsonObject, TenantId } from '#libs/common';
import { result, SQL_NOW, statement } from '#libs/database';
import type { PrincipalReference } from '#libs/tenancy';

/** Time for which a tenant counts as active after one of its tasks was started. */
const ACTIVE_SECONDS = 300;

/**
 * How many tenants are active for a kind: part of a claim that has the parts `waiting` and `running`. The count is right as far as it
 * tells one from more than one, and looks at no more than two rows of those who were served.
 */
export function activeTenants(kind: string): string {
  return `active AS (
  SELECT count(DISTINCT tenant_id)::int AS tenants FROM (
    SELECT tenant_id FROM waiting WHERE tenant_id IS NOT NULL UNION ALL SELECT tenant_id FROM running UNION ALL
    (SELECT tenant_id FROM task_turns WHERE kind = ${kind} AND served_at > now() - make_interval(secs => ${ACTIVE_SECONDS})
     ORDER BY served_at DESC LIMIT 2)
  ) seen
)`;
}

const READY = `kind = $1::text AND status = 'open' AND lease_owner IS NULL AND not_before IS NULL AND kind <> 'ingestion'`;

/**
 * Takes the next task of a kind under a lease. Parameters: $1 kind, $2 owner of the lease, $3 its seconds, $4 whether a tenant
 * with a running task of the kind waits, $5 most tasks that a tenant runs on this worker while others are active.
 *
 * No row means that none waits. One row of nulls means that another transaction holds in this moment what is next: another worker
 * takes it, or anyone who promises or cancels it has not committed yet.
 *
 * Tenants with waiting tasks are found by one look at the index each. The one with the fewest running tasks of the kind comes
 * first, then the one served longest ago. Active is a tenant with a task of the kind that waits or runs, or that was begun recently.
 */
export const CLAIM_TASK = statement(
  {
    id: result.orNull(result.uuid()),
    tenantId: result.orNull(result.uuid<TenantId>()),
    payload: result.orNull(result.json<JsonObject>()),
    principal: result.orNull(result.json<PrincipalReference>()),
    progress: result.orNull(result.json<JsonObject>()),
    token: result.orNull(result.bigint),
    tries: result.orNull(result.integer),
    requestId: result.orNull(result.text()),
  },
  `
WITH RECURSIVE waiting AS (
  (SELECT tenant_id FROM tasks WHERE ${READY} ORDER BY tenant_id LIMIT 1)
  UNION ALL
  SELECT (SELECT t.tenant_id FROM tasks t WHERE ${READY} AND t.tenant_id > waiting.tenant_id ORDER BY t.tenant_id LIMIT 1)
  FROM waiting WHERE waiting.tenant_id IS NOT NULL
), running AS (
  SELECT tenant_id, count(*)::int AS runs, count(*) FILTER (WHERE lease_owner = $2::text)::int AS here
  FROM tasks WHERE kind = $1::text AND lease_expires_at > ${SQL_NOW} GROUP BY tenant_id
), ${activeTenants('$1::text')}, head AS (
  SELECT first.id FROM (
    SELECT waiting.tenant_id, coalesce(r.runs, 0) AS runs, u.served_at FROM waiting CROSS JOIN active
    LEFT JOIN running r USING (tenant_id) LEFT JOIN task_turns u ON u.kind = $1::text AND u.tenant_id = waiting.tenant_id
    WHERE waiting.tenant_id IS NOT NULL AND NOT ($4::boolean AND r.runs IS NOT NULL)
      AND (active.tenants <= 1 OR coalesce(r.here, 0) < $5::int)
  ) w CROSS JOIN LATERAL (
    SELECT id FROM tasks WHERE ${READY} AND tenant_id = w.tenant_id ORDER BY priority, queued_at, id LIMIT 1
  ) first
  ORDER BY w.runs, w.served_at NULLS FIRST LIMIT 1
), locked AS (
  SELECT id FROM tasks WHERE id = (SELECT id FROM head) AND ${READY} FOR UPDATE SKIP LOCKED
), claimed AS (
  UPDATE tasks t SET lease_owner = $2::text, lease_expires_at = now() + make_interval(secs => $3::float8),
    fencing_token = nextval('fencing_tokens'), tries = t.tries + 1, updated_at = now()
  FROM locked WHERE t.id = locked.id
  RETURNING t.id, t.tenant_id, t.payload, t.principal, t.progress, t.fencing_token, t.tries, t.request_id
), turn AS (
  INSERT INTO task_turns (kind, tenant_id) SELECT $1::text, tenant_id FROM claimed
  ON CONFLICT (kind, tenant_id) DO UPDATE SET served_at = clock_timestamp()
)
SELECT c.id, c.tenant_id AS "tenantId", c.payload, c.principal, c.progress, c.fencing_token AS token, c.tries,
  c.request_id AS "requestId"
FROM head LEFT JOIN claimed c ON true`,
);

/** Whether a tenant other than $2 has a task of kind $1 that could be begun. */
export const OTHERS_WAIT = statement(
  { others: result.boolean },
  `SELECT EXISTS (SELECT FROM tasks WHERE ${READY} AND tenant_id < $2::uuid)
     OR EXISTS (SELECT FROM tasks WHERE ${READY} AND tenant_id > $2::uuid) AS others`,
);
