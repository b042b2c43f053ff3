import type { INestApplicationContext, Type } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '#libs/common';
import { rowsOf } from '#libs/database';
import type { Principal } from '#libs/tenancy';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { until } from '#testing/until';
import { defineTask } from './task-definition.js';
import { TaskHandler, type RunningTask } from './task-handler.js';
import { TaskFailed, TaskPostponed } from './task.errors.js';
import { Tasks, type PromiseOptions } from './tasks.js';
import { TasksRepository } from './tasks.repository.js';
import type { TaskView } from './task-view.js';
import { tasksOver } from './testing/tasks-over.js';
import { startTaskWorker } from './testing/task-worker.js';

interface Note {
  readonly text: string;
}

const parse = ({ text }: JsonObject): Note => {
  if (typeof text !== 'string') throw new TypeError('text');
  return { text };
};
const NOTE = defineTask<Note>({ kind: 'note', mostTries: 3, parse });
const ROUTINE = defineTask<Note>({ kind: 'routine_note', concurrency: 2, onePerTenant: true, isRoutine: true, parse });
const SEVERAL = defineTask<Note>({ kind: 'note_of_several', concurrency: 3, parse });
const ASKED = defineTask<Note>({ kind: 'asked_note', permission: 'evaluations:run', parse });

/** What the handlers do is said by each test. */
let act: (task: RunningTask<Note>) => Promise<JsonObject | void>;

@TaskHandler(NOTE)
class NoteHandler implements TaskHandler<Note> {
  run(task: RunningTask<Note>): Promise<JsonObject | void> {
    return act(task);
  }
}

@TaskHandler(ASKED)
class AskedHandler implements TaskHandler<Note> {
  run(task: RunningTask<Note>): Promise<JsonObject | void> {
    return act(task);
  }
}

@TaskHandler(ROUTINE)
class RoutineHandler implements TaskHandler<Note> {
  run(task: RunningTask<Note>): Promise<JsonObject | void> {
    return act(task);
  }
}

@TaskHandler(NOTE)
class SecondNoteHandler extends NoteHandler {}

const PATIENCE = { timeout: 15_000, interval: 20 };

describe('background work', () => {
  let db: TestDatabase;
  let member: TestMember;
  let present: Principal | null;
  const workers: INestApplicationContext[] = [];

  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    member = await createTestMember(db.unitOfWork);
    present = member.ctx.principal;
    act = async () => undefined;
    await system(`DELETE FROM tasks`);
    await system(`DELETE FROM task_turns`);
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.close();
  });

  const system = <Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> =>
    db.unitOfWork.runAsSystem((manager) => rowsOf<Row>(manager, sql, parameters));
  const start = async (
    handlers: readonly Type[] = [NoteHandler, AskedHandler, RoutineHandler],
    turnMs?: number,
  ): Promise<INestApplicationContext> => {
    const settings = { leaseSeconds: 1 };
    const worker = await startTaskWorker(db, { handlers, settings, principals: () => present, turnMs });
    workers.push(worker);
    return worker;
  };
  /** Promised by a process whose notifications reach no one. */
  const promise = (options: PromiseOptions = {}, by = member, definition = NOTE, text = 'x'): Promise<string> =>
    db.unitOfWork.run(by.ctx, (_manager, ctx) => tasksOver(db.unitOfWork).promise(ctx, definition, { text }, options));
  const find = async (id: string, by = member): Promise<TaskView | undefined> =>
    tasksOver(db.unitOfWork).find(by.ctx, id);
  const untilItIs = async (id: string, status: TaskView['status']): Promise<TaskView> => {
    await vi.waitFor(async () => expect((await find(id))?.status).toBe(status), PATIENCE);
    return (await find(id))!;
  };
  /** Waits that a failed try asks for are over at once. */
  const hurry = (): Promise<unknown> => system(`UPDATE tasks SET not_before = now() WHERE not_before IS NOT NULL`);

  it('is done when its transaction commits, and never when that rolls back', async () => {
    const seen: string[] = [];
    act = async ({ payload }) => void seen.push(payload.text);
    const lost = db.unitOfWork.run(member.ctx, async (_manager, ctx) => {
      await tasksOver(db.unitOfWork).promise(ctx, NOTE, { text: 'never' });
      throw new Error('stop');
    });
    await expect(lost).rejects.toThrow('stop');
    await start();
    await untilItIs(await promise({}, member, NOTE, 'kept'), 'completed');
    expect(seen).toEqual(['kept']);
  });

  it('is begun within a moment when the notification arrives, and found by a sweep when it does not', async () => {
    const worker = await start();
    const rung = await db.unitOfWork.run(member.ctx, (_manager, ctx) =>
      worker.get(Tasks, { strict: false }).promise(ctx, NOTE, { text: 'rung' }),
    );
    await untilItIs(rung, 'completed');
    const quiet = await promise();
    const { endedAt, createdAt } = await untilItIs(quiet, 'completed');
    expect(endedAt!.getTime() - createdAt.getTime()).toBeLessThan(10_000);
  });

  it('acts in the tenant and the request that promised it, and gives what it resolves to', async () => {
    let ctx: unknown;
    act = async (task) => {
      ctx = task.ctx;
      return { done: 3 };
    };
    await start();
    const { progress } = await untilItIs(await promise(), 'completed');
    expect(progress).toEqual({ done: 3 });
    expect(ctx).toMatchObject({
      tenantId: member.tenantId,
      requestId: member.ctx.requestId,
      principal: { kind: 'system' },
    });
  });

  it('is tried again after an error, with the progress that it kept, and has failed after its last try', async () => {
    const progresses: JsonObject[] = [];
    act = async (task) => {
      progresses.push(task.progress);
      await task.report({ pages: progresses.length });
      throw new Error(`try ${task.tries}`);
    };
    await start();
    const id = await promise();
    await vi.waitFor(async () => {
      await hurry();
      expect((await find(id))?.status).toBe('failed');
    }, PATIENCE);
    expect(await find(id)).toMatchObject({ tries: 3, error: { code: 'INTERNAL_ERROR', message: 'try 3' } });
    expect(progresses).toEqual([{}, { pages: 1 }, { pages: 2 }]);
  });

  it('has failed at once when its handler says so, and when no one understands its payload', async () => {
    act = async () => {
      throw new TaskFailed('NOT_A_BOOK', 'No.');
    };
    await start();
    const id = await promise();
    expect((await untilItIs(id, 'failed')).error).toEqual({ code: 'NOT_A_BOOK', message: 'No.' });
    const odd = await promise({ notBefore: new Date(Date.now() + 60_000) });
    await system(`UPDATE tasks SET payload = '{"text": 7}', not_before = now() WHERE id = $1`, [odd]);
    expect(await untilItIs(odd, 'failed')).toMatchObject({ tries: 1, error: { code: 'tasks.payload_invalid' } });
  });

  it.each(['POSTPONED', 'NOT_DUE'] as const)('waits without counting a try when it is postponed: %s', async (code) => {
    act = async (task) => {
      if ((await find(task.id))?.error === null) throw new TaskPostponed('A backup runs.', 60_000, code);
    };
    await start();
    const id = await promise();
    await vi.waitFor(async () => expect((await find(id))?.error?.code).toBe(code), PATIENCE);
    expect(await find(id)).toMatchObject({ status: 'pending', tries: 0 });
    await hurry();
    expect(await untilItIs(id, 'completed')).toMatchObject({ tries: 1, error: null });
  });

  it('is cancelled at once while it waits, and soon while it runs', async () => {
    const cancel = (id: string): Promise<boolean> =>
      db.unitOfWork.run(member.ctx, (_manager, ctx) => tasksOver(db.unitOfWork).cancel(ctx, id));
    const waiting = await promise({ notBefore: new Date(Date.now() + 60_000) });
    expect(await cancel(waiting)).toBe(true);
    expect(await find(waiting)).toMatchObject({ status: 'cancelled' });
    act = ({ signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    await start();
    const running = await promise();
    await untilItIs(running, 'running');
    const stranger = await createTestMember(db.unitOfWork);
    const foreign = db.unitOfWork.run(stranger.ctx, (_manager, ctx) => tasksOver(db.unitOfWork).cancel(ctx, running));
    expect([await foreign, await find(running, stranger)]).toEqual([false, undefined]);
    expect(await cancel(running)).toBe(true);
    await untilItIs(running, 'cancelled');
    expect(await cancel(running)).toBe(false);
  });

  it('is taken over when its worker died, and what the dead one writes afterwards is refused', async () => {
    const id = await promise();
    const tasks = new TasksRepository(db.unitOfWork);
    const dead = (await tasks.claim(NOTE, 'dead', 0.01))!;
    await start();
    await untilItIs(id, 'completed');
    expect(await tasks.report(dead, { late: true })).toBe(false);
    expect(await tasks.end(dead, { status: 'failed', code: 'LATE', message: 'late' })).toBe(false);
    expect(await find(id)).toMatchObject({ status: 'completed', tries: 2, progress: {} });
  });

  it('ends its handler when the lease is lost, and leaves the task to the one that has it', async () => {
    let refused: unknown;
    act = async (task) => {
      const isNext = task.tries > 1;
      await until(() => isNext || task.signal.aborted);
      if (!isNext) refused = await task.report({ late: true }).catch((error: unknown) => error);
    };
    await start();
    const id = await promise();
    await untilItIs(id, 'running');
    await system(`UPDATE tasks SET lease_owner = NULL, lease_expires_at = NULL WHERE id = $1`, [id]);
    expect(await untilItIs(id, 'completed')).toMatchObject({ tries: 2, progress: {} });
    expect(refused).toMatchObject({ name: 'LeaseLost' });
  });

  it('is given back when its service stops, without counting a try', async () => {
    act = ({ signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    const worker = await start();
    const id = await promise();
    await untilItIs(id, 'running');
    await worker.close();
    workers.pop();
    expect(await find(id)).toMatchObject({ status: 'pending', tries: 0, error: null });
  });

  it('goes to the tenant with the fewest running tasks, then to the one served longest ago', async () => {
    const [a, b] = [member, await createTestMember(db.unitOfWork)];
    for (let n = 0; n < 4; n += 1) await promise({}, a);
    for (let n = 0; n < 2; n += 1) await promise({}, b);
    const tasks = new TasksRepository(db.unitOfWork);
    const order: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      const task = (await tasks.claim(NOTE, 'w', 60))!;
      order.push(task.tenantId === a.tenantId ? 'a' : 'b');
      await tasks.end(task, { status: 'completed', progress: null, isRemoved: false });
    }
    expect(order.join('')).toMatch(/^(abab|baba)aa$/);
    for (let n = 0; n < 3; n += 1) await promise({}, a);
    await tasks.claim(NOTE, 'w', 60);
    await promise({}, b);
    expect((await tasks.claim(NOTE, 'w', 60))!.tenantId).toBe(b.tenantId);
  });

  it('leaves one of several places while another tenant waits or had its turn recently, and takes all alone', async () => {
    const [a, b] = [member, await createTestMember(db.unitOfWork)];
    const tasks = new TasksRepository(db.unitOfWork);
    const claim = async (worker = 'w'): Promise<string | undefined> =>
      (await tasks.claim(SEVERAL, worker, 60))?.tenantId;
    for (let n = 0; n < 8; n += 1) await promise({}, a, SEVERAL);
    expect([await claim(), await claim(), await claim()]).toEqual([a.tenantId, a.tenantId, a.tenantId]);
    await system(`UPDATE tasks SET lease_owner = NULL, lease_expires_at = NULL`);
    const small = await promise({}, b, SEVERAL);
    const three = [await claim(), await claim(), await claim()];
    expect(three.filter((id) => id === b.tenantId)).toHaveLength(1);
    await system(`DELETE FROM tasks WHERE id = $1`, [small]);
    expect(await claim()).toBeUndefined();
    expect(await claim('another worker')).toBe(a.tenantId);
    await system(`UPDATE task_turns SET served_at = now() - interval '301 seconds' WHERE tenant_id = $1`, [b.tenantId]);
    expect(await claim()).toBe(a.tenantId);
  });

  it('keeps its place while no one else waits, and gives it back with its progress when someone does', async () => {
    const other = await createTestMember(db.unitOfWork);
    const begun: string[] = [];
    act = async (task) => {
      begun.push(`${task.payload.text} ${Number(task.progress['pages'] ?? 0)} ${task.tries}`);
      if (task.payload.text === 'small') return;
      await task.giveWay({ pages: 1 });
      if (task.progress['pages'] === undefined) await promise({}, other, NOTE, 'small');
      await task.giveWay({ pages: 2 });
      return { pages: 3 };
    };
    await start(undefined, 0);
    const { progress, error } = await untilItIs(await promise({}, member, NOTE, 'long'), 'completed');
    expect(begun).toEqual(['long 0 1', 'small 0 1', 'long 2 1']);
    expect([progress, error]).toEqual([{ pages: 3 }, null]);
  });

  it('runs for who asked with the rights of this moment, and not once these are gone', async () => {
    const principals: Principal[] = [];
    act = async ({ ctx }) => void principals.push(ctx.principal);
    await start();
    await untilItIs(await promise({}, member, ASKED), 'completed');
    expect(principals).toEqual([member.ctx.principal]);
    const { kind } = (await system<{ kind: string }>(`SELECT principal ->> 'kind' AS kind FROM tasks`))[0]!;
    expect(kind).toBe('account');
    present = { ...member.ctx.principal, permissions: new Set() };
    expect((await untilItIs(await promise({}, member, ASKED), 'failed')).error?.code).toBe('tasks.permission_lost');
    present = null;
    const gone = await untilItIs(await promise({}, member, ASKED), 'failed');
    expect(gone).toMatchObject({ tries: 1, error: { code: 'tasks.principal_gone' } });
    expect(principals).toHaveLength(1);
  });

  it('is promised once for a subject while it waits, and again once it has begun', async () => {
    const first = await promise({ subject: 's', once: true });
    expect(await promise({ subject: 's', once: true })).toBe(first);
    expect(await promise({ subject: 'other', once: true })).not.toBe(first);
    await new TasksRepository(db.unitOfWork).claim(NOTE, 'w', 60);
    expect(await promise({ subject: 's', once: true })).not.toBe(first);
  });

  it('is promised for many subjects at once, but for those of which one waits', async () => {
    const works = ['s', 't', 'u'].map((subject) => ({ subject, payload: { text: subject } }));
    const promiseAll = (): Promise<void> =>
      db.unitOfWork.run(member.ctx, (_manager, ctx) => tasksOver(db.unitOfWork).promiseEach(ctx, NOTE, works));
    await promise({ subject: 't', once: true });
    await promise({ subject: 'u', once: true, notBefore: new Date(Date.now() + 60_000) });
    await promiseAll();
    await promiseAll();
    const rows = await system<{ subject: string; n: number }>(
      `SELECT subject, count(*)::int AS n FROM tasks WHERE kind = 'note' GROUP BY subject ORDER BY subject`,
    );
    expect(rows).toEqual([
      { subject: 's', n: 1 },
      { subject: 't', n: 1 },
      { subject: 'u', n: 2 },
    ]);
  });

  it('is promised beside one of its subject that waits for a later time, and not beside one that may begin as early', async () => {
    const inSeconds = (seconds: number): Date => new Date(Date.now() + seconds * 1000);
    const later = await promise({ subject: 's', once: true, notBefore: inSeconds(600) });
    expect(await promise({ subject: 's', once: true, notBefore: inSeconds(900) })).toBe(later);
    const soon = await promise({ subject: 's', once: true, notBefore: inSeconds(60) });
    expect(soon).not.toBe(later);
    const now = await promise({ subject: 's', once: true });
    expect([later, soon]).not.toContain(now);
    expect(await promise({ subject: 's', once: true })).toBe(now);
  });

  it('is taken one after the other for a tenant where the kind says so, while other tenants have theirs', async () => {
    const other = await createTestMember(db.unitOfWork);
    for (const by of [member, member, other]) await promise({}, by, ROUTINE);
    const tasks = new TasksRepository(db.unitOfWork);
    const [one, two] = [await tasks.claim(ROUTINE, 'w', 60), await tasks.claim(ROUTINE, 'w', 60)];
    expect(new Set([one!.tenantId, two!.tenantId])).toEqual(new Set([member.tenantId, other.tenantId]));
    expect(await tasks.claim(ROUTINE, 'w', 60)).toBeUndefined();
    const own = [one!, two!].find(({ tenantId }) => tenantId === member.tenantId)!;
    await tasks.end(own, { status: 'completed', progress: null, isRemoved: true });
    expect((await tasks.claim(ROUTINE, 'w', 60))!.tenantId).toBe(member.tenantId);
  });

  it('leaves nothing behind when it is done and its kind is routine, and stays when it has failed', async () => {
    act = async ({ payload }) => {
      if (payload.text === 'bad') throw new TaskFailed('BAD', 'No.');
    };
    await start();
    const [good, bad] = [await promise({}, member, ROUTINE), await promise({}, member, ROUTINE, 'bad')];
    await untilItIs(bad, 'failed');
    await until(async () => (await find(good)) === undefined);
    expect(() => defineTask({ kind: 'both', isRoutine: true, every: () => 60, parse })).toThrow('it could not be told');
  });

  it('refuses a second handler of a kind when the service starts', async () => {
    await expect(start([NoteHandler, SecondNoteHandler])).rejects.toThrow(/both handle tasks of kind note/);
  });
});
