import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId, type DatasetId, type TenantId } from '#libs/common';
import { TaskLeasesRepository } from '#libs/tasks';
import { createTestDatabase, type TestDatabase } from '#libs/testing';
import { claimLimits } from './claim-limits.js';
import { BATCHED_BYTES, LARGE_BYTES } from './claim-statement.repository.js';
import { IngestionTasksRepository, type ClaimedTask } from './ingestion-tasks.repository.js';

const SMALL = 1_000;
const MIDDLE = BATCHED_BYTES + 1;
const LARGE = LARGE_BYTES + 1;

interface Waiting {
  readonly tenantId: TenantId;
  readonly datasetId?: DatasetId;
  readonly count?: number;
  readonly bytes?: number;
  readonly priority?: 0 | 1;
  /** Seconds for which it has been waiting. */
  readonly since?: number;
  readonly tries?: number;
  readonly alone?: boolean;
}

describe('what a worker takes', () => {
  let db: TestDatabase;
  let tasks: IngestionTasksRepository;
  let leases: TaskLeasesRepository;
  let runs = 0;
  const [a, b, c] = [newId<TenantId>(), newId<TenantId>(), newId<TenantId>()];

  beforeAll(async () => {
    db = await createTestDatabase();
    tasks = new IngestionTasksRepository(db.unitOfWork);
    leases = new TaskLeasesRepository(db.unitOfWork);
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    await change(`DELETE FROM tasks`);
    await change(`DELETE FROM task_turns`);
  });

  const change = (sql: string): Promise<unknown> => db.unitOfWork.runAsSystem((manager) => manager.query(sql));
  const add = async (waiting: Waiting): Promise<void> => {
    const { tenantId, datasetId = newId<DatasetId>(), count = 1, bytes = SMALL, priority = 0, since = 0 } = waiting;
    await db.unitOfWork.runAsSystem((manager) =>
      manager.query(
        `INSERT INTO tasks (id, tenant_id, kind, group_id, size_bytes, priority, queued_at, tries, alone)
         SELECT gen_random_uuid(), $1, 'ingestion', $2, $3, $4, now() - make_interval(secs => $5) + n * interval '1 millisecond', $7, $8
         FROM generate_series(1, $6::int) AS n`,
        [tenantId, datasetId, bytes, priority, since, count, waiting.tries ?? 0, waiting.alone ?? false],
      ),
    );
  };
  const claimOnce = (slots = 4, worker = 'worker', most = 32): Promise<ClaimedTask[] | null> =>
    tasks.claim({ worker, run: String((runs += 1)), leaseSeconds: 20, most, limits: claimLimits(slots, 0) });
  const claim = async (slots?: number, worker?: string, most?: number): Promise<ClaimedTask[]> => {
    for (;;) {
      const claimed = await claimOnce(slots, worker, most);
      if (claimed !== null) return claimed;
    }
  };
  const tenantsOf = async (claims: number, slots = 64): Promise<TenantId[]> => {
    const order: TenantId[] = [];
    for (let n = 0; n < claims; n++) order.push((await claim(slots))[0]!.tenantId);
    return order;
  };

  it('is next the first document of another tenant, however many wait before it', async () => {
    await add({ tenantId: a, count: 2_000, since: 600 });
    expect(await tenantsOf(2)).toEqual([a, a]);
    await add({ tenantId: b });
    expect(await tenantsOf(1)).toEqual([b]);
  });

  it('comes from each tenant in turn when all have the same number of runs', async () => {
    for (const tenantId of [a, b, c]) await add({ tenantId, count: 5, bytes: MIDDLE });
    const order = await tenantsOf(9);
    for (const round of [order.slice(0, 3), order.slice(3, 6), order.slice(6)]) {
      expect(new Set(round)).toEqual(new Set([a, b, c]));
    }
  });

  it('leaves one place of four for the documents of other tenants', async () => {
    await add({ tenantId: a, count: 10, bytes: MIDDLE });
    for (let n = 0; n < 3; n++) expect(await claim()).toHaveLength(1);
    expect(await claim()).toEqual([]);
    await add({ tenantId: b });
    expect(await claim()).toMatchObject([{ tenantId: b }]);
  });

  it('leaves one place of two while another tenant has documents, or had some begun recently, and takes both alone', async () => {
    await add({ tenantId: a, count: 4, bytes: MIDDLE, since: 10 });
    expect([await claim(2), await claim(2)].map((taken) => taken.length)).toEqual([1, 1]);
    await change(`UPDATE tasks SET lease_owner = NULL, lease_expires_at = NULL`);
    await add({ tenantId: b });
    expect(new Set([...(await claim(2)), ...(await claim(2))].map(({ tenantId }) => tenantId))).toEqual(
      new Set([a, b]),
    );
    await change(`DELETE FROM tasks WHERE tenant_id = '${b}'`);
    expect(await claim(2)).toEqual([]);
    await change(`UPDATE task_turns SET served_at = now() - interval '301 seconds' WHERE tenant_id = '${b}'`);
    expect(await claim(2)).toMatchObject([{ tenantId: a }]);
  });

  it('counts the places of each worker for itself', async () => {
    await add({ tenantId: a, count: 10, bytes: MIDDLE });
    for (let n = 0; n < 3; n++) await claim(4, 'one');
    expect(await claim(4, 'one')).toEqual([]);
    expect(await claim(4, 'two')).toHaveLength(1);
  });

  it('is several small documents of one dataset, and nothing else with them', async () => {
    const datasetId = newId<DatasetId>();
    await add({ tenantId: a, datasetId, count: 40, since: 10 });
    await add({ tenantId: a, datasetId, bytes: MIDDLE, since: 9 });
    await add({ tenantId: a, count: 3, since: 8 });
    const [first, second, third, fourth] = [await claim(8), await claim(8), await claim(8), await claim(8)];
    expect([first.length, second.length, third.length, fourth.length]).toEqual([32, 8, 1, 3]);
    expect(third[0]!.sizeBytes).toBe(MIDDLE);
    expect(new Set([...first, ...second].map((task) => task.documentId)).size).toBe(40);
  });

  it('is a single document when it was tried before or must run alone', async () => {
    const datasetId = newId<DatasetId>();
    await add({ tenantId: a, datasetId, tries: 1, since: 3 });
    await add({ tenantId: a, datasetId, alone: true, since: 2 });
    await add({ tenantId: a, datasetId, count: 2, since: 1 });
    expect([await claim(8), await claim(8), await claim(8)].map((taken) => taken.length)).toEqual([1, 1, 2]);
  });

  it('is an upload before a reingest', async () => {
    await add({ tenantId: a, priority: 1, bytes: MIDDLE, since: 100 });
    await add({ tenantId: a, priority: 0, bytes: MIDDLE + 1 });
    expect([...(await claim()), ...(await claim())].map((task) => task.sizeBytes)).toEqual([MIDDLE + 1, MIDDLE]);
  });

  it('can be large documents in all places of a tenant but one, which is reserved for small ones', async () => {
    await add({ tenantId: a, count: 5, bytes: LARGE, since: 100 });
    const large = [await claim(), await claim(), await claim()];
    expect(large.map((taken) => taken[0]?.sizeBytes)).toEqual([LARGE, LARGE, undefined]);
    await add({ tenantId: a });
    expect((await claim())[0]?.sizeBytes).toBe(SMALL);
  });

  it('is a large document in spite of a stream of small ones', async () => {
    await add({ tenantId: a, count: 200, since: 100 });
    await add({ tenantId: a, bytes: LARGE });
    expect((await claim())[0]!.sizeBytes).toBe(LARGE);
  });

  it('is small documents first if there is one place, until a large one has waited for long', async () => {
    await add({ tenantId: a, bytes: LARGE, since: 10 });
    await add({ tenantId: a });
    expect((await claim(1))[0]!.sizeBytes).toBe(SMALL);
    await change(`DELETE FROM tasks`);
    await add({ tenantId: a, bytes: LARGE, since: 100 });
    await add({ tenantId: a });
    expect((await claim(1))[0]!.sizeBytes).toBe(LARGE);
  });

  it('is no task before its time', async () => {
    await add({ tenantId: a });
    await change(`UPDATE tasks SET not_before = now() + interval '1 hour'`);
    expect(await claim()).toEqual([]);
    expect([...(await leases.wake(10))]).toEqual([]);
    await change(`UPDATE tasks SET not_before = now() - interval '1 second'`);
    expect([...(await leases.wake(10))]).toEqual(['ingestion']);
    expect(await claim()).toHaveLength(1);
  });

  it('is never taken twice by workers that ask at the same time', async () => {
    await add({ tenantId: a, count: 200, bytes: MIDDLE });
    const taken = await Promise.all(Array.from({ length: 40 }, (_, n) => claim(64, `worker-${n}`)));
    const ids = taken.flat().map((task) => task.documentId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(40);
  });

  it('is distinguished from nothing while another transaction has locked the next task', async () => {
    expect(await claimOnce()).toEqual([]);
    await add({ tenantId: a });
    await db.unitOfWork.runAsSystem(async (manager) => {
      await manager.query(`SELECT 1 FROM tasks FOR UPDATE`);
      expect(await claimOnce()).toBeNull();
    });
    expect(await claimOnce()).toHaveLength(1);
    expect(await claimOnce()).toEqual([]);
  });

  it('has a token higher than all before, and counts the beginnings', async () => {
    await add({ tenantId: a });
    const [first] = await claim();
    await change(`UPDATE tasks SET lease_expires_at = now() - interval '1 second'`);
    expect(await claim()).toEqual([]);
    expect(await leases.takeLost(10)).toMatchObject([{ id: first!.documentId, token: first!.token }]);
    const [second] = await claim();
    expect([first!.tries, second!.tries]).toEqual([1, 2]);
    expect(BigInt(second!.token)).toBeGreaterThan(BigInt(first!.token));
    const held = [first!, second!].map(({ documentId: id, token }) => ({ id, token }));
    expect(await leases.extend(held, 20)).toEqual([{ id: second!.documentId, isCancelled: false }]);
  });
});
