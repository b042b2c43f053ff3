import type { EntityManager } from 'typeorm';
import { rowsOf, statement } from '#libs/database';

/** Code of the warning that another document had the same name when this one was uploaded. */
export const SAME_NAME = 'SAME_NAME';

const FORGET = statement(
  {},
  `UPDATE documents o SET same_name_id = NULL FROM documents d
   WHERE d.id = ANY ($1::uuid[]) AND o.same_name_id = d.id
     AND (d.deleted_at IS NOT NULL OR coalesce(d.path, d.name) <> coalesce(o.path, o.name))`,
);

/** Removes the warning `SAME_NAME` that refers to these documents, if they have been deleted or renamed. */
export async function forgetSameNames(manager: EntityManager, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await rowsOf(manager, FORGET, [ids]);
}
