import 'reflect-metadata';
import { delay, newId, NOWHERE_TENANT } from '#libs/common';
import { Outbox, rowsOf, UnitOfWork } from '#libs/database';
import { jobPayload } from '#libs/queue';
import { VECTOR_STORES } from '#libs/vector-store';
import { openRunningDatabase } from './open-running-database.js';

/**
 * `npm run reindex`: asks the running service to rebuild its vector store from PostgreSQL; with `-- --to STORE` to move to another
 * one while search goes on, and with `-- --finish` to end that move and drop what the former store holds. `npm run reconcile`: asks it to look
 * for rows, vectors and files without their partner. `npm run reembed`: asks it to move every dataset whose vectors are of another
 * embedding model to the one of the settings. All watch until it is done and print what was found.
 */
const KINDS = ['reindex', 'reconcile', 'reembed'];
const STORES = VECTOR_STORES.adapters.map((adapter) => adapter.kind);
const POLL_MS = 500;
const PATIENCE_MS = 30_000;

interface Progress {
  readonly status: string;
  readonly progress: Readonly<Record<string, unknown>>;
  readonly error: string | null;
}

const kind = process.argv[2] ?? '';
const payload = readPayload(process.argv.slice(3));
if (!KINDS.includes(kind) || payload === undefined) {
  process.stderr.write(`Say what to do: ${KINDS.join(' or ')}; reindex [--to ${STORES.join('|')} | --finish].\n`);
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

/** Only a reindex takes options, one of two; undefined for anything else. */
function readPayload(options: readonly string[]): Readonly<Record<string, string | boolean>> | undefined {
  if (options.length === 0) return {};
  if (kind !== 'reindex') return undefined;
  if (options.length === 1 && options[0] === '--finish') return { finish: true };
  const to = STORES.find((name) => name === options[1]);
  return options.length === 2 && options[0] === '--to' && to !== undefined ? { to } : undefined;
}

async function carryOut(unitOfWork: UnitOfWork): Promise<number> {
  const taskId = newId();
  await unitOfWork.runAsSystem((manager) =>
    manager.query(`INSERT INTO maintenance_tasks (id, tenant_id, kind, payload) VALUES ($1, $2, $3, $4)`, [
      taskId,
      NOWHERE_TENANT,
      kind,
      payload,
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
