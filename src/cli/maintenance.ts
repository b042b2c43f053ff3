import 'reflect-metadata';
import { delay, newId, NOWHERE_TENANT } from '#libs/common';
import { Outbox, rowsOf, UnitOfWork } from '#libs/database';
import { jobPayload } from '#libs/queue';
import { openRunningDatabase } from './open-running-database.js';

/**
 * `npm run reindex`: asks the running service to rebuild its vector store from PostgreSQL. `npm run reconcile`: asks it to look
 * for rows, vectors and files without their partner. Both watch until it is done and print what was found.
 */
const KINDS = ['reindex', 'reconcile'];
const POLL_MS = 500;
const PATIENCE_MS = 30_000;

interface Progress {
  readonly status: string;
  readonly progress: Readonly<Record<string, unknown>>;
  readonly error: string | null;
}

const kind = process.argv[2] ?? '';
if (!KINDS.includes(kind)) {
  process.stderr.write(`Say what to do: ${KINDS.join(' or ')}.\n`);
  process.exit(2);
}
const command = await openRunningDatabase();
try {
  if (command.serviceRuns === false) {
    process.stderr.write('The service does not run. Start it with "npm start"; it does the work itself.\n');
    process.exitCode = 1;
  } else {
    process.exitCode = await carryOut(new UnitOfWork(command.database));
  }
} finally {
  await command.close();
}

async function carryOut(unitOfWork: UnitOfWork): Promise<number> {
  const taskId = newId();
  await unitOfWork.runAsSystem((manager) =>
    manager.query(`INSERT INTO maintenance_tasks (id, tenant_id, kind, payload) VALUES ($1, $2, $3, '{}')`, [
      taskId,
      NOWHERE_TENANT,
      kind,
    ]),
  );
  await new Outbox(unitOfWork).addAsSystem('maintenance', [
    jobPayload('maintenance', { tenantId: NOWHERE_TENANT, taskId, requestId: newId() }),
  ]);
  const asked = Date.now();
  let shown = '';
  for (;;) {
    const now = await look(unitOfWork, taskId);
    const line = `${now.status} ${JSON.stringify(now.progress)}`;
    if (line !== shown) process.stdout.write(`${line}\n`);
    shown = line;
    if (now.status === 'completed') return 0;
    if (now.error !== null) process.stderr.write(`${now.error}\n`);
    if (now.status === 'pending' && Date.now() - asked > PATIENCE_MS) {
      process.stderr.write('No running service has taken the job; it will be done when one starts.\n');
      return 1;
    }
    await delay(POLL_MS);
  }
}

async function look(unitOfWork: UnitOfWork, taskId: string): Promise<Progress> {
  const rows = await unitOfWork.runAsSystem((manager) =>
    rowsOf<Progress>(manager, `SELECT status, progress, error FROM maintenance_tasks WHERE id = $1`, [taskId]),
  );
  return rows[0] ?? { status: 'pending', progress: {}, error: null };
}
