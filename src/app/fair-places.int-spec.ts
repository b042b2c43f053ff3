import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '#libs/common';
import { rowsOf } from '#libs/database';
import { TaskHandler, TaskKinds, Tasks, withoutPayload, type RunningTask, type TaskDefinition } from '#libs/tasks';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { definitionsIn, startTaskWorker } from '../../libs/tasks/src/testing/task-worker.js';
import { loadServiceSettings } from './adapters.js';
import { WorkerModule } from './worker.module.js';

const UNITS = 4;
const PATIENCE = { timeout: 20_000, interval: 10 };

let db: TestDatabase;
let folder: string;
let definitions: readonly TaskDefinition[];
let kinds: readonly { readonly kind: string; readonly longestUnit: string }[];

/** What a worker of the service knows how to do. */
beforeAll(async () => {
  db = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'kb-places-'));
  const settings = { ...loadServiceSettings({ DATA_DIR: folder, LOG_LEVEL: 'silent' }), role: 'worker' as const };
  const graph = WorkerModule.standalone(settings, db.database);
  const module = await Test.createTestingModule({ imports: [graph] }).compile();
  await module.init();
  definitions = definitionsIn(module);
  kinds = module.get(TaskKinds, { strict: false }).list();
  await module.close();
}, 120_000);
afterAll(async () => {
  await db.close();
  await rm(folder, { recursive: true, force: true });
});

interface Flood {
  /** Who began a unit, in order, since the gate was opened. */
  readonly begun: string[];
  /** What each task of A had kept when it was begun again. */
  readonly kept: JsonObject[];
}

/** A floods the kind with tasks of several units; while they hold all places that they can get, B asks for one. */
async function flood(definition: TaskDefinition, a: TestMember, b: TestMember): Promise<Flood> {
  // The lib has a handler of its own for one of the kinds.
  const kind = `played_${definition.kind}`;
  const plain = { ...definition, kind, parse: withoutPayload, permission: null, every: () => 0, needsSpace: false };
  const own = definition.isSliced ? UNITS : 1;
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  let holding = 0;
  let isOpen = false;
  const seen: Flood = { begun: [], kept: [] };

  @TaskHandler(plain)
  class Units implements TaskHandler<object> {
    async run(task: RunningTask<object>): Promise<void> {
      const who = task.ctx.tenantId === a.tenantId ? 'a' : 'b';
      const from = Number(task.progress['units'] ?? 0);
      if (from > 0) seen.kept.push(task.progress);
      for (let units = from + 1; units <= (who === 'a' ? own : 1); units += 1) {
        if (isOpen) seen.begun.push(who);
        holding += 1;
        await gate;
        if (definition.isSliced) await task.giveWay({ units });
      }
    }
  }

  const worker = await startTaskWorker(db, { handlers: [Units], turnMs: 0 });
  try {
    const tasks = worker.get(Tasks, { strict: false });
    const ask = ({ ctx }: TestMember): Promise<string> =>
      db.unitOfWork.run(ctx, (_manager, inner) => tasks.promise(inner, plain, {}));
    const places = definition.onePerTenant ? 1 : definition.concurrency;
    for (let n = 0; n < 2 * places + 1; n += 1) await ask(a);
    await vi.waitFor(() => expect(holding).toBe(places), PATIENCE);
    const small = await ask(b);
    // Where a place is free for B alone, its task holds it by now.
    if (definition.onePerTenant) await vi.waitFor(() => expect(holding).toBe(places + 1), PATIENCE);
    isOpen = true;
    open();
    const ended = async (): Promise<void> => {
      const rows = await db.unitOfWork.runAsSystem((manager) =>
        rowsOf<{ id: string }>(manager, `SELECT id FROM tasks WHERE kind = $1 AND status = 'open'`, [kind]),
      );
      expect(rows.map(({ id }) => id)).not.toContain(small);
      expect(rows).toEqual([]);
    };
    await vi.waitFor(ended, PATIENCE);
  } finally {
    open();
    await worker.close();
  }
  return seen;
}

describe('places of a worker', () => {
  it('are of kinds that each say how long another tenant waits at most', () => {
    expect(definitions.length).toBeGreaterThan(15);
    expect(kinds.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['ingestion', ...definitions.map(({ kind }) => kind)]),
    );
    expect(kinds.filter(({ longestUnit }) => longestUnit === '' || longestUnit === 'the whole task')).toEqual([]);
  });

  it("go to another tenant's small task after one unit, of whichever kind", async () => {
    for (const definition of definitions) {
      const [a, b] = [await createTestMember(db.unitOfWork), await createTestMember(db.unitOfWork)];
      if (definition.onePerTenant) {
        // B's task ran before the gate was opened.
        await flood(definition, a, b);
        continue;
      }
      const { begun, kept } = await flood(definition, a, b);
      // Each of A's tasks may have begun one more unit in the moment in which B's got its place.
      expect(begun, definition.kind).toContain('b');
      expect(begun.indexOf('b'), definition.kind).toBeLessThan(definition.concurrency);
      if (definition.isSliced) expect(kept[0], definition.kind).toEqual({ units: 1 });
    }
  }, 300_000);
});
