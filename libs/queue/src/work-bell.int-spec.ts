import { Test, type TestingModule } from '@nestjs/testing';
import { LoggerModule } from 'nestjs-pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#libs/testing';
import { QueueModule } from './queue.module.js';
import { WorkBell } from './work-bell.js';

/** One process that listens, as `ROLE=worker`, and one that only rings, as `ROLE=api`. */
describe('the bell', () => {
  let db: TestDatabase;
  let worker: TestingModule;
  let api: TestingModule;

  const start = async (listens: boolean): Promise<TestingModule> => {
    const logger = LoggerModule.forRoot({ pinoHttp: { level: 'silent', autoLogging: false }, forRoutes: [] });
    const queue = QueueModule.forRoot({
      databaseUrl: db.url,
      roles: db.database.roles,
      redisUrl: undefined,
      listens,
    });
    const module = await Test.createTestingModule({
      imports: [logger, queue],
    }).compile();
    return module.init();
  };

  beforeAll(async () => {
    db = await createTestDatabase();
    [worker, api] = [await start(true), await start(false)];
  });
  afterAll(async () => {
    await api?.close();
    await worker?.close();
    await db.close();
  });

  it('is heard in another process, by those who listen for the kind', async () => {
    const heard: string[] = [];
    const bell = worker.get(WorkBell);
    const stop = bell.onRing('one', (rungAt) => heard.push(`one ${rungAt <= Date.now()}`));
    bell.onRing('other', () => heard.push('other'));
    api.get(WorkBell).ring('one');
    await vi.waitFor(() => expect(heard).toEqual(['one true']), { timeout: 10_000 });
    stop();
    api.get(WorkBell).ring('one');
    api.get(WorkBell).ring('other');
    await vi.waitFor(() => expect(heard).toEqual(['one true', 'other']), { timeout: 10_000 });
  });

  it('is rung a few times for many pieces of work that are promised together', async () => {
    let heard = 0;
    let end = false;
    worker.get(WorkBell).onRing('many', () => (heard += 1));
    worker.get(WorkBell).onRing('end', () => (end = true));
    for (let n = 0; n < 100; n += 1) api.get(WorkBell).ring('many');
    await vi.waitFor(() => expect(heard).toBeGreaterThan(0), { timeout: 10_000 });
    api.get(WorkBell).ring('end');
    await vi.waitFor(() => expect(end).toBe(true), { timeout: 10_000 });
    expect(heard).toBe(2);
  });
});
