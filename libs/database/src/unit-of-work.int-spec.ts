import { QueryFailedError } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#libs/common';
import { createTestDatabase, createTestMember, sentStatementsOf, type TestDatabase } from '#libs/testing';
import { until } from '#testing/until';
import { Database } from './database.js';
import { query } from './embedded/testing/query.js';
import { rowsOf } from './tenant-repository.js';
import { UnitOfWork } from './unit-of-work.js';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

async function insertCategory(member: Awaited<ReturnType<typeof createTestMember>>, name: string): Promise<void> {
  await test.unitOfWork.run(member.ctx, (manager) =>
    manager.query(`INSERT INTO categories (id, tenant_id, name, name_key) VALUES ($1, $2, $3, $3)`, [
      newId(),
      member.tenantId,
      name,
    ]),
  );
}

describe('the unit of work', () => {
  it('shows a tenant its own rows and no others', async () => {
    const [one, two] = [await createTestMember(test.unitOfWork), await createTestMember(test.unitOfWork)];
    await insertCategory(one, 'alpha');
    await insertCategory(two, 'beta');
    const names = await test.unitOfWork.run(one.ctx, (m) => rowsOf<{ name: string }>(m, `SELECT name FROM categories`));
    expect(names).toEqual([{ name: 'alpha' }]);
  });

  it('refuses to write a row of another tenant', async () => {
    const [one, two] = [await createTestMember(test.unitOfWork), await createTestMember(test.unitOfWork)];
    const write = test.unitOfWork.run(one.ctx, (manager) =>
      manager.query(`INSERT INTO categories (id, tenant_id, name, name_key) VALUES ($1, $2, 'x', 'x')`, [
        newId(),
        two.tenantId,
      ]),
    );
    await expect(write).rejects.toThrow(/row-level security/);
  });

  it('shows the system role no tenant data, and the application role no accounts', async () => {
    const one = await createTestMember(test.unitOfWork);
    await expect(test.unitOfWork.runAsSystem((m) => m.query(`SELECT * FROM categories`))).rejects.toThrow(
      /permission denied/,
    );
    await expect(test.unitOfWork.run(one.ctx, (m) => m.query(`SELECT * FROM accounts`))).rejects.toThrow(
      /permission denied/,
    );
  });

  it('shows nothing at all without a tenant', async () => {
    const one = await createTestMember(test.unitOfWork);
    await insertCategory(one, 'gamma');
    const runner = test.database.source.createQueryRunner();
    try {
      await runner.startTransaction();
      await runner.query(`SET LOCAL ROLE "kb_app"`);
      expect(await runner.query(`SELECT count(*)::int AS n FROM categories`)).toEqual([{ n: 0 }]);
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  });

  it('keeps the audit log append-only for the application', async () => {
    const one = await createTestMember(test.unitOfWork);
    await expect(test.unitOfWork.run(one.ctx, (m) => m.query(`DELETE FROM audit_log`))).rejects.toThrow(
      /permission denied/,
    );
    await expect(test.unitOfWork.run(one.ctx, (m) => m.query(`UPDATE audit_log SET event = 'x'`))).rejects.toThrow(
      /permission denied/,
    );
  });

  it('joins the open transaction and rolls everything back together', async () => {
    const one = await createTestMember(test.unitOfWork);
    const work = test.unitOfWork.run(one.ctx, async (manager, ctx) => {
      await insertCategory({ ...one, ctx }, 'delta');
      await test.unitOfWork.asSystem(ctx, (system) =>
        system.query(`INSERT INTO task_turns (kind, tenant_id) VALUES ('delta', $1)`, [one.tenantId]),
      );
      expect(await rowsOf(manager, `SELECT name FROM categories WHERE name = 'delta'`)).toHaveLength(1);
      throw new Error('stop');
    });
    await expect(work).rejects.toThrow('stop');
    expect(
      await test.unitOfWork.run(one.ctx, (m) => rowsOf(m, `SELECT name FROM categories WHERE name = 'delta'`)),
    ).toEqual([]);
    const turns = await test.unitOfWork.runAsSystem((m) => rowsOf(m, `SELECT 1 FROM task_turns WHERE kind = 'delta'`));
    expect(turns).toEqual([]);
  });

  it('sees in all statements of a snapshot what was committed at one moment, and writes nothing there', async () => {
    const one = await createTestMember(test.unitOfWork);
    const names = `SELECT name FROM categories ORDER BY name`;
    await insertCategory(one, 'before');
    const read = test.unitOfWork.run(
      one.ctx,
      async (manager) => {
        const first = await rowsOf(manager, names);
        await insertCategory(one, 'meanwhile');
        return [first, await rowsOf(manager, names)];
      },
      { snapshot: true },
    );
    expect(await read).toEqual([[{ name: 'before' }], [{ name: 'before' }]]);
    const write = test.unitOfWork.run(one.ctx, (manager) => manager.query(`DELETE FROM categories`), {
      snapshot: true,
    });
    await expect(write).rejects.toThrow(/read-only transaction/);
  });

  it('runs a single statement as its tenant, alone or in the open transaction, and undoes it when it fails', async () => {
    const [one, two] = [await createTestMember(test.unitOfWork), await createTestMember(test.unitOfWork)];
    const insert = `INSERT INTO categories (id, tenant_id, name, name_key) VALUES ($1, $2, $3, $3) RETURNING name`;
    expect(await test.unitOfWork.runOne(one.ctx, insert, [newId(), one.tenantId, 'single'])).toEqual([
      { name: 'single' },
    ]);
    await expect(test.unitOfWork.runOne(one.ctx, insert, [newId(), two.tenantId, 'x'])).rejects.toThrow(
      /row-level security/,
    );
    const select = `SELECT name FROM categories`;
    expect(await test.unitOfWork.runOne(one.ctx, select, [])).toEqual([{ name: 'single' }]);
    expect(await test.unitOfWork.runOne(two.ctx, select, [])).toEqual([]);
    await test.unitOfWork.run(one.ctx, async (_manager, ctx) => {
      await test.unitOfWork.runOne(ctx, insert, [newId(), one.tenantId, 'inside']);
      expect(await test.unitOfWork.runOne(two.ctx, select, [])).toEqual([]);
    });
    await expect(test.unitOfWork.runOneAsSystem(select, [])).rejects.toThrow(/permission denied/);
    expect(await test.unitOfWork.runOneAsSystem(`SELECT 1 AS n WHERE $1`, [true])).toEqual([{ n: 1 }]);
  });

  it('sets role and tenant without reading a row for it, until the transaction ends', async () => {
    const [one, two] = [await createTestMember(test.unitOfWork), await createTestMember(test.unitOfWork)];
    const setting = `SELECT current_setting('app.tenant_id', true) AS tenant`;
    const sent = await sentStatementsOf(async () => {
      expect(await test.unitOfWork.run(one.ctx, (manager) => manager.query(setting))).toEqual([
        { tenant: one.tenantId },
      ]);
    });
    expect(sent).toEqual([
      expect.stringMatching(/^START TRANSACTION; SET LOCAL ROLE [^;]+; SET LOCAL [^;]+$/),
      setting,
      'COMMIT',
    ]);
    for (let connection = 0; connection < 16; connection += 1) {
      expect(await test.unitOfWork.runOne(two.ctx, setting, [])).toEqual([{ tenant: two.tenantId }]);
      expect(await test.unitOfWork.runOneAsSystem(setting, [])).not.toEqual([{ tenant: two.tenantId }]);
    }
  });

  it('sends a single statement together with its role and tenant, and leaves neither on the connection', async () => {
    const one = await createTestMember(test.unitOfWork);
    const scope = `SELECT current_user AS role, current_setting('app.tenant_id', true) AS tenant,
      current_setting('synchronous_commit') AS waits`;
    const expected = { role: 'kb_app', tenant: one.tenantId, waits: 'on' };
    const sent = await sentStatementsOf(async () => {
      expect(await test.unitOfWork.runOne(one.ctx, scope, [])).toEqual([expected]);
    });
    expect(sent).toEqual([scope]);
    expect(await test.unitOfWork.runOne(one.ctx, scope, [], { durable: false })).toEqual([
      { ...expected, waits: 'off' },
    ]);
    expect(await test.unitOfWork.runOneAsSystem(scope, [])).toEqual([{ role: 'kb_system', tenant: '', waits: 'on' }]);
    const [login] = await test.database.source.query<{ role: string }[]>(`SELECT session_user AS role`);
    for (let connection = 0; connection < 16; connection += 1)
      expect(await test.database.source.query(scope)).toEqual([{ role: login!.role, tenant: '', waits: 'on' }]);
  });

  it('runs no single statement whose role cannot be set', async () => {
    const [one, { source, roles, url }] = [await createTestMember(test.unitOfWork), test.database];
    const work = new UnitOfWork(new Database(source, { ...roles, app: 'kb_nobody' }, url));
    const insert = `INSERT INTO categories (id, tenant_id, name, name_key) VALUES ($1, $2, 'y', 'y')`;
    const parameters = [newId(), one.tenantId];
    await expect(work.runOne(one.ctx, insert, parameters)).rejects.toThrow(/kb_nobody/);
    expect(await test.unitOfWork.runOne(one.ctx, `SELECT name FROM categories`, [])).toEqual([]);
    expect(await test.unitOfWork.runOne(one.ctx, insert, parameters)).toEqual([]);
  });

  it('tells of a single statement what only its commit has found, and how many rows it changed', async () => {
    const add = `INSERT INTO later VALUES ($1), ($1)`;
    await test.database.source.query(
      `CREATE TABLE later (n integer UNIQUE DEFERRABLE INITIALLY DEFERRED); GRANT SELECT, INSERT, UPDATE ON later TO kb_system`,
    );
    await expect(test.unitOfWork.runOneAsSystem(add, [1])).rejects.toMatchObject({ code: '23505' });
    expect(await test.unitOfWork.runOneAsSystem(`INSERT INTO later VALUES ($1) RETURNING n`, [1])).toEqual([{ n: 1 }]);
    expect(await test.unitOfWork.runOneAsSystem(`UPDATE later SET n = $1`, [2])).toEqual([[], 1]);
    expect(await test.unitOfWork.runOneAsSystem(`SELECT n FROM later`, [])).toEqual([{ n: 2 }]);
  });

  it('takes another connection when that of a single statement has broken', async () => {
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(60)'`;
    // The socket tells of it sooner or later than the answer.
    for (let round = 0; round < 10; round += 1) {
      const isEnded = until(async () => (await query(test.url, end)).length > 0, { what: 'the statement to end' });
      await expect(test.unitOfWork.runOneAsSystem(`SELECT pg_sleep(60)`, [])).rejects.toThrow(QueryFailedError);
      expect(await test.unitOfWork.runOneAsSystem(`SELECT 1 AS n`, [])).toEqual([{ n: 1 }]);
      await isEnded;
    }
  });

  it('goes back to the application role after work of the system role, also when that failed', async () => {
    const one = await createTestMember(test.unitOfWork);
    const role = `SELECT current_user AS role`;
    await test.unitOfWork.run(one.ctx, async (manager, ctx) => {
      expect(await manager.query(role)).toEqual([{ role: 'kb_app' }]);
      expect(await test.unitOfWork.asSystem(ctx, (system) => system.query(role))).toEqual([{ role: 'kb_system' }]);
      expect(await manager.query(role)).toEqual([{ role: 'kb_app' }]);
      const failing = test.unitOfWork.asSystem(ctx, () => Promise.reject(new Error('not the database')));
      await expect(failing).rejects.toThrow('not the database');
      expect(await manager.query(role)).toEqual([{ role: 'kb_app' }]);
    });
  });

  it('commits nothing when a statement failed that no one waited for', async () => {
    const one = await createTestMember(test.unitOfWork);
    const work = test.unitOfWork.run(one.ctx, async (manager, ctx) => {
      await insertCategory({ ...one, ctx }, 'doomed');
      await manager.query(`SELECT 1 / 0`).catch(() => undefined);
      return manager.query(`SELECT 1`);
    });
    await expect(work).rejects.toThrow(/current transaction is aborted/);
  });

  it('says why the connection broke, when that was between two statements', async () => {
    const one = await createTestMember(test.unitOfWork);
    let isCaught = false;
    const work = test.unitOfWork.run(one.ctx, async (manager) => {
      const [backend] = await rowsOf<{ pid: number }>(manager, `SELECT pg_backend_pid() AS pid`);
      await query(test.url, `SELECT pg_terminate_backend(${backend!.pid})`);
      await until(() => manager.queryRunner!.isReleased, { what: 'the end of the connection' });
      isCaught = true;
      return manager.query(`SELECT 1`);
    });
    await expect(work).rejects.toMatchObject({ code: '57P01' });
    expect(isCaught).toBe(true);
    expect(await test.unitOfWork.runOne(one.ctx, `SELECT 1 AS n`, [])).toEqual([{ n: 1 }]);
  });

  it('prepares a statement again on a new connection when a migration has changed its table', async () => {
    const select = `SELECT * FROM task_turns WHERE tenant_id = $1`;
    const ask = (): Promise<unknown> => test.unitOfWork.runOneAsSystem(select, [newId()]);
    const everywhere = (): Promise<PromiseSettledResult<unknown>[]> =>
      Promise.allSettled(Array.from({ length: 16 }, ask));
    await everywhere();
    await test.database.source.query(`ALTER TABLE task_turns ADD COLUMN later integer`);
    await everywhere();
    const again = await everywhere();
    expect(again.filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  it('keeps the role of single statements that are more than a connection keeps prepared', async () => {
    for (let n = 0; n < 520; n += 1)
      expect(await test.unitOfWork.runOneAsSystem(`SELECT current_user AS role, ${n} AS n`, [])).toEqual([
        { role: 'kb_system', n },
      ]);
  });
});
