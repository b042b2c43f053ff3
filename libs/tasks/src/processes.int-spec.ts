import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Metrics } from '#libs/metrics';
import { rowsOf } from '#libs/database';
import { createTestDatabase, createTestMember, type TestDatabase } from '#libs/testing';
import { ProcessesRepository } from './processes.repository.js';
import { giveBackTasks, putTasks } from './shared-writes.js';
import { TaskMetrics } from './task-metrics.js';
import { TasksRepository } from './tasks.repository.js';

const GIVEN = { waitMs: 60_000, counts: false, alone: false };

describe('what all processes know of the work', () => {
  let db: TestDatabase;
  let processes: ProcessesRepository;

  beforeAll(async () => {
    db = await createTestDatabase();
    processes = new ProcessesRepository(db.unitOfWork);
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    await system(`DELETE FROM tasks`);
    await system(`DELETE FROM processes`);
  });

  const system = <Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> =>
    db.unitOfWork.runAsSystem((manager) => rowsOf<Row>(manager, sql, parameters));
  /** Promises a document of a tenant, and lets a worker give it back for a reason. */
  const waitFor = async (tenantId: string, reason: string | null): Promise<string> => {
    const id = randomUUID();
    const task = { id, groupId: id, sizeBytes: 1, priority: 0, payload: {}, requestId: 'r' };
    await db.unitOfWork.runAsSystem((manager) => putTasks(manager, 'ingestion', tenantId, [task]));
    if (reason === null) return id;
    await system(`UPDATE tasks SET lease_owner = 'w', lease_expires_at = now(), fencing_token = 1 WHERE id = $1`, [id]);
    await db.unitOfWork.runAsSystem((manager) =>
      giveBackTasks(manager, [{ ...GIVEN, id, token: '1', waitingReason: reason }]),
    );
    return id;
  };

  it('counts processes that work and were seen lately, until they leave', async () => {
    const [api, worker, all] = [randomUUID(), randomUUID(), randomUUID()];
    await processes.noteSeen({ id: api, role: 'api', version: '1.0.0' });
    await processes.noteSeen({ id: worker, role: 'worker', version: '1.0.0' });
    await processes.noteSeen({ id: all, role: 'all', version: '1.0.0' });
    await processes.noteSeen({ id: all, role: 'all', version: '1.0.0' });
    expect((await processes.overview()).workers).toBe(2);
    await processes.noteLeft(all);
    expect((await processes.overview()).workers).toBe(1);
    await system(`UPDATE processes SET seen_at = now() - interval '16 seconds' WHERE id = $1`, [worker]);
    expect((await processes.overview()).workers).toBe(0);
    await system(`UPDATE processes SET seen_at = now() - interval '2 days' WHERE id = $1`, [worker]);
    await processes.noteSeen({ id: api, role: 'api', version: '1.0.0' });
    expect(await system(`SELECT id FROM processes`)).toEqual([{ id: api }]);
  });

  it('counts what waits by its reason, with the documents of dead workers, and not what is promised for later', async () => {
    const { tenantId } = await createTestMember(db.unitOfWork);
    await waitFor(tenantId, null);
    await waitFor(tenantId, 'store_unavailable');
    await waitFor(tenantId, 'store_unavailable');
    const lost = await waitFor(tenantId, null);
    const held = `UPDATE tasks SET lease_owner = 'w', lease_expires_at = now() + make_interval(secs => $2) WHERE id = $1`;
    await system(held, [lost, -1]);
    await system(held, [await waitFor(tenantId, null), 60]);
    await system(
      `INSERT INTO tasks (id, tenant_id, kind, not_before) VALUES ($1, $2, 'note', now() + interval '1 hour')`,
      [randomUUID(), tenantId],
    );
    const { waiting } = await processes.overview();
    expect(waiting.map(({ kind, reason, tasks }) => [kind, reason, tasks])).toEqual([
      ['ingestion', 'queued', 1],
      ['ingestion', 'store_unavailable', 2],
      ['ingestion', 'worker_lost', 1],
    ]);
  });

  it('gives the age of documents that wait for a dependency, too', async () => {
    const { tenantId } = await createTestMember(db.unitOfWork);
    const id = await waitFor(tenantId, 'store_unavailable');
    await system(`UPDATE tasks SET queued_at = now() - interval '1 hour' WHERE id = $1`, [id]);
    const metrics = new Metrics();
    new TaskMetrics(new TasksRepository(db.unitOfWork), metrics).onModuleInit();
    const text = await metrics.text();
    expect(Number(/^kb_ingestion_oldest_waiting_seconds (\S+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(3_600);
    expect(text).toContain('kb_ingestion_tasks{state="delayed"} 1');
  });

  it('asks the same number of statements for one tenant as for many', async () => {
    const query = vi.spyOn(
      db.database.source.driver as unknown as { obtainMasterConnection(): unknown },
      'obtainMasterConnection',
    );
    const metrics = new Metrics();
    new TaskMetrics(new TasksRepository(db.unitOfWork), metrics).onModuleInit();
    const connectionsOf = async (work: () => Promise<unknown>): Promise<number> => {
      query.mockClear();
      await work();
      return query.mock.calls.length;
    };
    const scrape = async (): Promise<void> => {
      await Promise.all([metrics.text(), processes.overview()]);
    };
    await waitFor((await createTestMember(db.unitOfWork)).tenantId, null);
    const one = await connectionsOf(scrape);
    for (let n = 0; n < 20; n += 1) await waitFor((await createTestMember(db.unitOfWork)).tenantId, null);
    expect(await connectionsOf(scrape)).toBe(one);
    expect(one).toBe(2);
  });
});
