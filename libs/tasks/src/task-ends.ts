import type { JsonObject } from '#libs/common';
import { columnsOf, statement, type Statement } from '#libs/database';
import { TaskEntity } from './task.entity.js';
import type { HeldTask } from './task-leases.repository.js';

/** Outcome of a try. */
export type TryEnd =
  | { readonly status: 'completed'; readonly progress: JsonObject | null; readonly isRemoved: boolean }
  | { readonly status: 'cancelled' }
  | { readonly status: 'failed'; readonly code: string; readonly message: string }
  | {
      readonly status: 'open';
      readonly waitMs: number;
      readonly counts: boolean;
      readonly reason: { readonly code: string; readonly message: string } | null;
    };

const STILL_HELD = `WHERE id = $1 AND fencing_token = $2 AND lease_owner IS NOT NULL RETURNING id`;
const FREED = `lease_owner = NULL, lease_expires_at = NULL, updated_at = now()`;

const ENDED = columnsOf(TaskEntity, 'id');
const REMOVE = statement(ENDED, `DELETE FROM tasks ${STILL_HELD}`);
const COMPLETE = statement(
  ENDED,
  `UPDATE tasks SET ${FREED}, status = 'completed', ended_at = now(), error = NULL, error_code = NULL,
     progress = coalesce($3, progress) ${STILL_HELD}`,
);
const CANCEL = statement(ENDED, `UPDATE tasks SET ${FREED}, status = 'cancelled', ended_at = now() ${STILL_HELD}`);
const FAIL = statement(
  ENDED,
  `UPDATE tasks SET ${FREED}, status = 'failed', ended_at = now(), error_code = $3, error = $4 ${STILL_HELD}`,
);
const REOPEN = statement(
  ENDED,
  `UPDATE tasks SET ${FREED}, not_before = CASE WHEN $3::float8 > 0 THEN now() + make_interval(secs => $3::float8 / 1000) END,
     tries = greatest(0, tries - $4), error_code = coalesce($5, error_code), error = coalesce($6, error) ${STILL_HELD}`,
);

/** The statement that records the outcome of a try, and its parameters; it gives a row while the lease is held. */
export function endOf(
  { id, token }: HeldTask,
  end: TryEnd,
): [statement: Statement<Pick<TaskEntity, 'id'>>, parameters: readonly unknown[]] {
  switch (end.status) {
    case 'completed':
      if (end.isRemoved) return [REMOVE, [id, token]];
      return [COMPLETE, [id, token, end.progress === null ? null : JSON.stringify(end.progress)]];
    case 'cancelled':
      return [CANCEL, [id, token]];
    case 'failed':
      return [FAIL, [id, token, end.code, end.message]];
    case 'open':
      return [
        REOPEN,
        [id, token, end.waitMs, end.counts ? 0 : 1, end.reason?.code ?? null, end.reason?.message ?? null],
      ];
  }
}
