import type { JsonObject, TenantId } from '#libs/common';
import { columnsOf, result, statement } from '#libs/database';
import { TaskEntity } from './task.entity.js';

/** A task as its requester sees it. */
export interface TaskView {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly kind: string;
  readonly subject: string | null;
  readonly payload: JsonObject;
  readonly status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
  readonly progress: JsonObject;
  readonly tries: number;
  /** Why the task failed, or why its latest try did. */
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

const COLUMNS = {
  ...columnsOf(TaskEntity, 'id', 'kind', 'subject', 'payload', 'progress', 'tries'),
  tenantId: result.uuid<TenantId>(),
  status: result.text<TaskView['status']>(),
  error: result.orNull(result.json<NonNullable<TaskView['error']>>()),
  createdAt: result.time,
  endedAt: result.orNull(result.time),
};
const VIEW = `id, tenant_id AS "tenantId", kind, subject, payload,
  CASE WHEN status <> 'open' THEN status WHEN lease_owner IS NULL THEN 'pending' ELSE 'running' END AS status, progress, tries,
  CASE WHEN error IS NOT NULL THEN jsonb_build_object('code', error_code, 'message', error) END AS error,
  created_at AS "createdAt", ended_at AS "endedAt"`;

/** Parameters: id, and the tenant or null. */
export const FIND_VIEW = statement(
  COLUMNS,
  `SELECT ${VIEW} FROM tasks WHERE id = $1 AND ($2::uuid IS NULL OR tenant_id = $2)`,
);
/** Parameters: tenant, kind and limit. */
export const LIST_OPEN_VIEWS = statement(
  COLUMNS,
  `SELECT ${VIEW} FROM tasks WHERE kind = $2 AND tenant_id = $1 AND status = 'open' ORDER BY created_at, id LIMIT $3`,
);
/** Parameter: kind. */
export const FIND_LATEST_COMPLETED_VIEW = statement(
  COLUMNS,
  `SELECT ${VIEW} FROM tasks WHERE kind = $1 AND status = 'completed' ORDER BY ended_at DESC LIMIT 1`,
);
