import { Injectable } from '@nestjs/common';
import { newId } from '#libs/common';
import { result, statement, systemRowsOf, UnitOfWork } from '#libs/database';
import { AttemptTraces } from '../attempts/attempt-traces.repository.js';
import { systemContext } from './system-context.js';

const BATCH = 500;
const NOBODY = '00000000-0000-0000-0000-000000000000';

const LIST_WAITING = statement(
  { id: result.uuid(), tenant_id: result.uuid() },
  `SELECT id, tenant_id FROM tasks WHERE kind = 'ingestion' AND lease_owner IS NULL AND id > $1 ORDER BY id LIMIT ${BATCH}`,
);

/** Sets and clears the waiting reason `storage_low` of documents that no worker has taken. */
@Injectable()
export class SpaceWaits {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly traces: AttemptTraces,
  ) {}

  /** Writes each document once per change of `isLow`, however long it waits. */
  async note(isLow: boolean): Promise<void> {
    let after = NOBODY;
    for (;;) {
      const rows = await systemRowsOf(this.unitOfWork, LIST_WAITING, [after]);
      for (const [tenantId, of] of Map.groupBy(rows, (row) => row.tenant_id)) {
        const ids = of.map(({ id }) => id);
        await this.traces.noteSpace(systemContext(tenantId, newId()), ids, isLow);
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < BATCH) return;
      after = last.id;
    }
  }
}
