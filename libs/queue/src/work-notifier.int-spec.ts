import { Test, type TestingModule } from '@nestjs/testing';
import { LoggerModule } from 'nestjs-pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#libs/testing';
import { QueueModule } from './queue.module.js';
import { WorkNotifier } from './work-notifier.js';

/** One process that listens, as `ROLE=worker`, and one that only notifies, as `ROLE=api`. */
describe('notifications of work', () => {
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

  it('reach another process, by those who listen for the kind', async () => {
    const heard: string[] = [];
    const notifier = worker.get(WorkNotifier);
    const stop = notifier.listen('one', (notifiedAt) => heard.push(`one ${notifiedAt <= Date.now()}`));
    notifier.listen('other', () => heard.push('other'));
    api.get(WorkNotifier).notify('one');
    await vi.waitFor(() => expect(heard).toEqual(['one true']), { timeout: 10_000 });
    stop();
    api.get(WorkNotifier).notify('one');
    api.get(WorkNotifier).notify('other');
    await vi.waitFor(() => expect(heard).toEqual(['one true', 'other']), { timeout: 10_000 });
  });

  it('are sent a few times for many pieces of work that are promised together', async () => {
    let heard = 0;
    let end = false;
    worker.get(WorkNotifier).listen('many', () => (heard += 1));
    worker.get(WorkNotifier).listen('end', () => (end = true));
    for (let n = 0; n < 100; n += 1) api.get(WorkNotifier).notify('many');
    await vi.waitFor(() => expect(heard).toBeGreaterThan(0), { timeout: 10_000 });
    api.get(WorkNotifier).notify('end');
    await vi.waitFor(() => expect(end).toBe(true), { timeout: 10_000 });
    expect(heard).toBe(2);
  });
});
