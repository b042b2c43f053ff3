import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '#testing/until';
import { ApiClient } from '../../scripts/lib/api-client.js';
import { ServiceProcess } from '../support/service-process.js';
import { writePlugin } from './support/plugin-folder.js';

const PATIENCE_MS = 60_000;
const STEPS = 6;
/** The task waits before this step. */
const HELD_STEP = 4;

/**
 * A subscriber that writes a line before and after each event, and promises a task for each completed document; the task writes a line
 * for each of its steps. Both wait in the middle while a file is there.
 */
const PACKAGE = `
  import { appendFileSync, existsSync } from 'node:fs';
  import { join } from 'node:path';
  import { Inject, Module } from '@nestjs/common';
  import {
    definePlugin, defineTask, DOCUMENT_COMPLETED, DOCUMENT_DELETED, OnDomainEvent, TaskHandler, Tasks, UnitOfWork,
  } from 'knowledge-base-service/extension';
  const folder = process.cwd();
  const write = (file, line) => appendFileSync(join(folder, file), line + '\\n');
  const whileThere = async (name) => {
    while (existsSync(join(folder, name))) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const COUNT = defineTask({ kind: 'acme_count', concurrency: 4, parse: ({ document_id }) => ({ document_id }) });
  class Counter {
    async run(task) {
      const { payload, progress, tries } = task;
      for (let step = (progress.step ?? 0) + 1; step <= ${STEPS}; step++) {
        if (step === ${HELD_STEP}) await whileThere('hold-task');
        write('tasks', [payload.document_id, tries, step].join(' '));
        await task.report({ step });
      }
      write('ended', payload.document_id);
    }
  }
  TaskHandler(COUNT)(Counter);
  class Listener {
    constructor(unitOfWork, tasks) {
      this.unitOfWork = unitOfWork;
      this.tasks = tasks;
    }
    async completed(ctx, event) {
      await this.note(event);
      await this.unitOfWork.run(ctx, (_manager, inner) =>
        this.tasks.promise(inner, COUNT, { document_id: event.subject }, { subject: event.subject, once: true }));
    }
    async deleted(_ctx, event) {
      await this.note(event);
    }
    async note({ subject, seq, type }) {
      write('events', ['begun', subject, seq, type].join(' '));
      await whileThere('hold-event');
      write('events', ['done', subject, seq, type].join(' '));
    }
  }
  Inject(UnitOfWork)(Listener, undefined, 0);
  Inject(Tasks)(Listener, undefined, 1);
  const mark = (definition, method) =>
    OnDomainEvent(definition, { subscriber: 'acme-listener' })(
      Listener.prototype, method, Object.getOwnPropertyDescriptor(Listener.prototype, method));
  mark(DOCUMENT_COMPLETED, 'completed');
  mark(DOCUMENT_DELETED, 'deleted');
  class ListeningModule {}
  Module({ providers: [Counter, Listener] })(ListeningModule);
  export default definePlugin({ name: 'acme-listener', modules: [ListeningModule] });
`;

describe('A service that SIGKILL ends in the middle of background work', () => {
  let service: ServiceProcess;
  let api: ApiClient;
  let folder: string;
  beforeAll(async () => {
    folder = await writePlugin('acme-listener', PACKAGE);
    service = await ServiceProcess.start({
      settings: { PLUGINS: 'acme-listener' },
      packages: { 'acme-listener': folder },
    });
    api = await new ApiClient(service.url).login(service.admin.email, service.admin.password);
  });
  afterAll(async () => {
    await service?.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const linesOf = async (name: string): Promise<string[]> => {
    const path = join(service.folder, name);
    return existsSync(path) ? (await readFile(path, 'utf8')).trimEnd().split('\n') : [];
  };
  const untilLine = async (name: string, isIt: (line: string) => boolean): Promise<void> => {
    await until(async () => (await linesOf(name)).some(isIt), { what: `a line of ${name}`, withinMs: PATIENCE_MS });
  };
  const upload = async (): Promise<string> => {
    const datasetId = await api.createDataset(`background ${Math.random()}`);
    const content = Buffer.from('# Pump\n\nThe pump is serviced twice a year.\n');
    const { id } = await api.upload(datasetId, { name: 'pump.md', content });
    await api.pollUntilTerminal(id);
    return id;
  };

  it('delivers the event again that a subscriber had in hand, and the later ones of the document after it', async () => {
    const hold = join(service.folder, 'hold-event');
    await writeFile(hold, '');
    const id = await upload();
    await untilLine('events', (line) => line.startsWith(`begun ${id}`));
    await api.post('/documents/batch/reingest', { document_ids: [id] });
    await api.pollUntilTerminal(id);
    await api.delete(`/documents/${id}`);
    await service.kill('SIGKILL');
    expect((await linesOf('events')).filter((line) => line.startsWith('done'))).toEqual([]);
    await rm(hold);
    await service.start();
    await untilLine('events', (line) => line.startsWith(`done ${id}`) && line.endsWith('document.deleted'));
    const lines = (await linesOf('events')).filter((line) => line.includes(id)).map((line) => line.split(' '));
    expect(lines.map(([what, , , type]) => `${what} ${type}`)).toEqual([
      'begun document.completed',
      ...['completed', 'completed', 'deleted'].flatMap((type) => [`begun document.${type}`, `done document.${type}`]),
    ]);
    const numbers = lines.map(([, , seq]) => Number(seq));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  });

  it('goes on with a task behind the last step that it reported', async () => {
    const hold = join(service.folder, 'hold-task');
    await writeFile(hold, '');
    const id = await upload();
    await untilLine('tasks', (line) => line === `${id} 1 ${HELD_STEP - 1}`);
    await service.kill('SIGKILL');
    await rm(hold);
    await service.start();
    await untilLine('ended', (line) => line === id);
    const steps = (await linesOf('tasks'))
      .filter((line) => line.startsWith(id))
      .map((line) => line.split(' ').slice(1));
    expect(steps.map(([, step]) => Number(step)).filter((step) => step >= HELD_STEP)).toEqual([4, 5, 6]);
    expect(steps.filter(([tries]) => tries === '2').map(([, step]) => Number(step))[0]).toBeGreaterThanOrEqual(
      HELD_STEP - 1,
    );
    expect((await linesOf('ended')).filter((line) => line === id)).toEqual([id]);
  });
});
