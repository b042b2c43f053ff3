import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#libs/common';
import { rowsOf, systemRowsOf } from '#libs/database';
import { createTestDatabase, createTestMember, inOneMoment, type TestDatabase, type TestMember } from '#libs/testing';
import { TaskLeasesRepository } from './task-leases.repository.js';
import { TasksRepository } from './tasks.repository.js';

const KIND = 'errand';

let db: TestDatabase;
let owner: TestMember;
let leases: TaskLeasesRepository;
let tasks: TasksRepository;

beforeAll(async () => {
  db = await createTestDatabase();
  owner = await createTestMember(db.unitOfWork);
  leases = new TaskLeasesRepository(db.unitOfWork);
  tasks = new TasksRepository(db.unitOfWork);
});
afterAll(() => db.close());
beforeEach(() => sql(`DELETE FROM tasks`));

function sql<Row>(text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
  return db.unitOfWork.runAsSystem((manager) => rowsOf<Row>(manager, text, parameters));
}

function promise(notBefore: Date | null) {
  const task = { kind: KIND, tenantId: owner.tenantId, payload: {}, principal: null, requestId: 'r', subject: null };
  return db.unitOfWork.runAsSystem((manager) => tasks.promise(manager, { ...task, notBefore, once: false }));
}

describe('a task whose time has come', () => {
  it('is found by a look within the millisecond in which its time was written', async () => {
    await promise(null);
    const found = await inOneMoment(db.unitOfWork, async (moment) => {
      await systemRowsOf(moment, `UPDATE tasks SET not_before = now()`);
      return new TaskLeasesRepository(moment).wake(1);
    });
    expect(found).toEqual(new Set([KIND]));
  });

  it('is taken up by the first claim, whatever the clock of the process that promised it says', async () => {
    const [database] = await sql<{ at: Date }>(`SELECT now() AS at`);
    const { id, mayBegin } = await promise(database!.at);
    expect(mayBegin).toBe(true);
    expect(await tasks.claim({ kind: KIND, onePerTenant: false, concurrency: 1 }, newId(), 30)).toMatchObject({ id });
  });

  it('and one whose time has not come is neither', async () => {
    const [database] = await sql<{ at: Date }>(`SELECT now() + interval '1 hour' AS at`);
    expect(await promise(database!.at)).toMatchObject({ mayBegin: false });
    expect(await tasks.claim({ kind: KIND, onePerTenant: false, concurrency: 1 }, newId(), 30)).toBeUndefined();
    expect(await leases.wake(1)).toEqual(new Set());
  });
});
