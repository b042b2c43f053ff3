import 'reflect-metadata';
import { delay } from '#libs/common';
import { UnitOfWork } from '#libs/database';
import { Tasks, TasksRepository } from '#libs/tasks';
import { VECTOR_STORES } from '#libs/vector-store';
import {
  RECONCILIATION,
  REEMBEDDING_OF_ALL,
  REINDEX,
  STORE_MOVE,
  type StoreMovePayload,
} from '../modules/indexing/index.js';
import { withRunningDatabase } from './with-running-database.js';

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

const kind = process.argv[2] ?? '';
/** Null for a plain reindex. */
const wanted = readMove(process.argv.slice(3));
if (!KINDS.includes(kind) || wanted === undefined) {
  process.stderr.write(`Say what to do: ${KINDS.join(' or ')}; reindex [--to ${STORES.join('|')} | --finish].\n`);
  process.exit(2);
}
await withRunningDatabase('The command', async ({ serviceRuns, database }) => {
  if (serviceRuns === false) {
    process.stderr.write('The service does not run. Start it with "npm start"; it does the work itself.\n');
    process.exitCode = 1;
  } else {
    process.exitCode = await carryOut(new UnitOfWork(database), wanted);
  }
});

/** Only a reindex takes options, one of two, which make it a move between stores; undefined for anything else. */
function readMove(options: readonly string[]): StoreMovePayload | null | undefined {
  if (options.length === 0) return null;
  if (kind !== 'reindex') return undefined;
  if (options.length === 1 && options[0] === '--finish') return { finish: true };
  const to = STORES.find((name) => name === options[1]);
  return options.length === 2 && options[0] === '--to' && to !== undefined ? { to } : undefined;
}

async function carryOut(unitOfWork: UnitOfWork, move: StoreMovePayload | null): Promise<number> {
  const repository = new TasksRepository(unitOfWork);
  // No one is notified here: the service finds what waits within seconds.
  const tasks = new Tasks(unitOfWork, repository, { notify: () => undefined });
  const taskId = await promise(tasks, move);
  const asked = performance.now();
  let shown = '';
  for (;;) {
    const now = await unitOfWork.runAsSystem((manager) => repository.find(manager, taskId, null));
    const { status = 'pending', progress = {}, error = null } = now ?? {};
    const line = `${status} ${JSON.stringify(progress)}`;
    if (line !== shown) process.stdout.write(`${line}\n`);
    shown = line;
    if (status === 'completed') {
      const warned = kind === 'reembed' ? Number(progress['datasets_with_warnings'] ?? 0) : 0;
      if (warned > 0) process.stdout.write(reembeddingWarning(warned));
      return 0;
    }
    if (error !== null) process.stderr.write(`${error.message}\n`);
    if (status === 'failed' || status === 'cancelled') return 1;
    if (status === 'pending' && performance.now() - asked > PATIENCE_MS) {
      process.stderr.write('No running service has taken the job; it will be done when one starts.\n');
      return 1;
    }
    await delay(POLL_MS);
  }
}

/** What a re-embedding has not changed, and changes what it brings. */
function reembeddingWarning(datasets: number): string {
  return `${datasets} dataset${datasets === 1 ? '' : 's'} with chunks that the model does not read whole, or that were fitted to another one: see "warnings" of
GET /datasets/{id}/ingestion-policy; chunking.fit_model true and a reingest mend both.
`;
}

async function promise(tasks: Tasks, move: StoreMovePayload | null): Promise<string> {
  if (kind === 'reconcile') return tasks.promiseAsSystem(RECONCILIATION, {});
  if (kind === 'reembed') return tasks.promiseAsSystem(REEMBEDDING_OF_ALL, {});
  return move === null ? tasks.promiseAsSystem(REINDEX, {}) : tasks.promiseAsSystem(STORE_MOVE, move);
}
