import { PinoLogger } from 'nestjs-pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WaitCauses, type ProcessesRepository, type WaitingTasks, type WorkOverview } from '#libs/tasks';
import { WaitingReport } from './waiting-report.service.js';

const MINUTE_MS = 60_000;
const QUEUED: WaitingTasks = { kind: 'ingestion', reason: 'queued', tasks: 4, oldestSeconds: 2 };
const HELD: WaitingTasks = { kind: 'ingestion', reason: 'store_unavailable', tasks: 3, oldestSeconds: 12.6 };

describe('the report of tasks that wait for a dependency or a worker', () => {
  let overview: WorkOverview;
  let lines: [level: string, facts: object, event: string][];
  let causes: WaitCauses;
  let report: WaitingReport;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
    lines = [];
    causes = new WaitCauses();
    const logger = {
      warn: (facts: object, event: string) => lines.push(['warn', facts, event]),
      info: (facts: object, event: string) => lines.push(['info', facts, event]),
    } as unknown as PinoLogger;
    const processes = { overview: async () => overview } as unknown as ProcessesRepository;
    report = new WaitingReport(processes, causes, logger);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is one warning a minute, with the reason, and one line at the end', async () => {
    overview = { workers: 2, waiting: [QUEUED, HELD] };
    causes.note({ reason: 'store_unavailable', code: 'vector_store.unavailable', message: 'no more indexes' });
    causes.note({ reason: 'provider_backoff', code: 'ai.provider_unavailable', message: 'gone' });
    for (let n = 0; n < 3; n += 1) await report.look();
    expect(lines).toEqual([
      [
        'warn',
        {
          workers: 2,
          waiting: { 'ingestion.store_unavailable': 3 },
          oldestSeconds: 13,
          causes: [{ reason: 'store_unavailable', code: 'vector_store.unavailable', message: 'no more indexes' }],
        },
        'work.waiting',
      ],
    ]);
    vi.advanceTimersByTime(MINUTE_MS);
    await report.look();
    expect(lines).toHaveLength(2);
    overview = { workers: 2, waiting: [QUEUED] };
    await report.look();
    await report.look();
    expect(lines.slice(2)).toEqual([['info', { workers: 2 }, 'work.waiting_over']]);
  });

  it('includes all tasks while no worker is running', async () => {
    overview = { workers: 0, waiting: [QUEUED] };
    await report.look();
    expect(lines).toMatchObject([['warn', { workers: 0, waiting: { 'ingestion.queued': 4 } }, 'work.waiting']]);
  });

  it('is empty while tasks only wait for their turn, for a person or after a fault of their own', async () => {
    const reasons = ['queued', 'NOT_DUE', 'budget_exhausted', 'retry_backoff'];
    overview = { workers: 1, waiting: reasons.map((reason) => ({ ...QUEUED, reason })) };
    await report.look();
    expect(lines).toEqual([]);
  });
});
