import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DocumentId } from '#libs/common';
import { until } from '#testing/until';
import { IngestionRunner } from './ingestion-runner.service.js';
import { IngestionTasksRepository } from '../claiming/ingestion-tasks.repository.js';
import { IngestionLab } from '../testing/ingestion-lab.js';

/** Without the sweeper, which would find after seconds what a worker missed. */
describe('a worker with one run at a time', () => {
  let lab: IngestionLab;
  let runner: IngestionRunner;
  beforeAll(async () => {
    lab = await IngestionLab.open({ settings: { WORKER_CONCURRENCY: '1' } });
    runner = lab.get(IngestionRunner);
  });
  afterAll(() => lab.close());
  beforeEach(() => runner.settled());

  const upload = async (): Promise<DocumentId> =>
    (await lab.upload(await lab.addDataset(), [{ name: 'pump.txt', content: 'The pump is serviced.' }]))[0]!;
  const statusOf = async (id: DocumentId): Promise<string> =>
    (await lab.query<{ status: string }>(`SELECT status FROM documents WHERE id = $1`, [id]))[0]!.status;

  it('takes a document that another transaction had locked at the first try', async () => {
    const id = await upload();
    const looked = vi.spyOn(lab.get(IngestionTasksRepository), 'claim');
    await lab.db.unitOfWork.runAsSystem(async (manager) => {
      await manager.query(`SELECT 1 FROM tasks WHERE id = $1 FOR UPDATE`, [id]);
      runner.wake(Date.now());
      await until(() => looked.mock.settledResults.length > 0, { what: 'a look' });
    });
    looked.mockRestore();
    await runner.settled();
    expect(await statusOf(id)).toBe('completed');
  });

  it('claims again when it is woken during an empty claim', async () => {
    const tasks = lab.get(IngestionTasksRepository);
    const claim = tasks.claim.bind(tasks);
    let id: DocumentId | undefined;
    tasks.claim = async (request) => {
      const found = await claim(request);
      if (id === undefined) {
        id = await upload();
        runner.wake(Date.now());
      }
      return found;
    };
    try {
      runner.wake(Date.now());
      await runner.settled();
    } finally {
      tasks.claim = claim;
    }
    expect(await statusOf(id!)).toBe('completed');
  });
});
