import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rowsOf, type TransactionContext } from '#libs/database';
import { TasksRepository } from '#libs/tasks';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { tasksOver } from '../../../../libs/tasks/src/testing/tasks-over.js';
import { GENERATION_REMOVAL } from './store-intent.tasks.js';
import { StoreIntents } from './store-intents.repository.js';

interface PromisedTask {
  readonly kind: string;
  readonly subject: string;
  /** Seconds until it may begin, in tens. */
  readonly wait: number;
}

describe('a change outside the database', () => {
  let db: TestDatabase;
  let member: TestMember;
  let intents: StoreIntents;

  beforeAll(async () => {
    db = await createTestDatabase();
    intents = new StoreIntents(db.unitOfWork, tasksOver(db.unitOfWork));
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    member = await createTestMember(db.unitOfWork);
    await db.unitOfWork.runAsSystem((manager) => manager.query(`DELETE FROM tasks`));
  });

  const inTransaction = (work: (ctx: TransactionContext) => Promise<void>): Promise<void> =>
    db.unitOfWork.run(member.ctx, (_manager, ctx) => work(ctx));
  const promised = (): Promise<PromisedTask[]> =>
    db.unitOfWork.runAsSystem((manager) =>
      rowsOf<PromisedTask>(
        manager,
        `SELECT kind, subject, (round(coalesce(extract(epoch FROM not_before - now()), 0) / 10) * 10)::int AS wait FROM tasks
         WHERE status = 'open' ORDER BY kind, wait`,
      ),
    );
  const due = async (): Promise<string[]> =>
    (await intents.listDue(member.ctx, 'remove_generation', 10)).map(({ subject }) => subject).sort();

  it('is recorded together with the task that carries it out, or not at all', async () => {
    const lost = inTransaction(async (ctx) => {
      await intents.add(ctx, 'remove_blob', 'lost', {});
      throw new Error('stop');
    });
    await expect(lost).rejects.toThrow('stop');
    expect(await promised()).toEqual([]);
    await inTransaction((ctx) => intents.add(ctx, 'remove_blob', 'kept', {}));
    await inTransaction((ctx) => intents.add(ctx, 'update_metadata', 'kept', {}));
    await inTransaction((ctx) => intents.add(ctx, 'remove_generation', 'kept', {}));
    expect((await promised()).map(({ kind }) => kind)).toEqual(['file_removal', 'generation_removal', 'metadata_sync']);
  });

  it('needs one waiting task of a tenant, however many are recorded, and another one for those that are due earlier', async () => {
    const record = (subject: string, seconds: number): Promise<void> =>
      inTransaction((ctx) => intents.add(ctx, 'remove_generation', subject, {}, seconds));
    for (let n = 0; n < 20; n += 1) await record(`late ${n}`, 600);
    await record('now', 0);
    await record('now too', 0);
    const of = { kind: 'generation_removal', subject: member.tenantId };
    expect(await promised()).toEqual([
      { ...of, wait: 0 },
      { ...of, wait: 600 },
    ]);
    expect(await due()).toEqual(['now', 'now too']);
  });

  it('gets a task of its own when it is recorded while another one runs', async () => {
    await inTransaction((ctx) => intents.add(ctx, 'remove_generation', 'first', {}));
    const tasks = new TasksRepository(db.unitOfWork);
    const running = await tasks.claim(GENERATION_REMOVAL, 'w', 60);
    await inTransaction((ctx) => intents.add(ctx, 'remove_generation', 'second', {}));
    expect(await promised()).toHaveLength(2);
    await tasks.end(running!, { status: 'completed', progress: null, isRemoved: true });
    expect(await promised()).toHaveLength(1);
  });

  it('gets another task if some are left, for when the first is due and not before the pause has passed', async () => {
    await intents.promiseNext(member.ctx, 'remove_generation', 30);
    expect(await promised()).toEqual([]);
    await inTransaction((ctx) =>
      intents.addAll(ctx, 'remove_generation', [
        { subject: 'one', payload: {} },
        { subject: 'two', payload: {} },
      ]),
    );
    const [one, two] = await intents.listDue(member.ctx, 'remove_generation', 10);
    await db.unitOfWork.runAsSystem((manager) => manager.query(`DELETE FROM tasks`));
    await intents.postpone([one!], 600);
    await intents.promiseNext(member.ctx, 'remove_generation', 30);
    expect((await promised()).map(({ wait }) => wait)).toEqual([30]);
    await db.unitOfWork.runAsSystem((manager) => manager.query(`DELETE FROM tasks`));
    await intents.settle([two!]);
    await intents.promiseNext(member.ctx, 'remove_generation', 30);
    expect((await promised()).map(({ wait }) => wait)).toEqual([600]);
  });
});
