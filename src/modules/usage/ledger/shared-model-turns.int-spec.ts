import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelCaller, ModelPurpose } from '#libs/ai';
import { newId, type TenantId } from '#libs/common';
import { createTestDatabase, type TestDatabase } from '#libs/testing';
import { until } from '#testing/until';
import { SharedModelTurns } from './shared-model-turns.js';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

function callerOf(tenantId: TenantId, purpose: ModelPurpose = 'ingestion'): ModelCaller {
  return { tenantId, datasetIds: [], purpose };
}

const newTenant = (): TenantId => newId<TenantId>();

describe('turns to call a model', () => {
  it('lets the given number of calls run at once over two processes, and none twice', async () => {
    const processes = [new SharedModelTurns(test.unitOfWork, 3), new SharedModelTurns(test.unitOfWork, 3)];
    const tenant = newTenant();
    let [running, most, done] = [0, 0, 0];
    const call = async (turns: SharedModelTurns): Promise<void> => {
      const giveBack = await turns.take('p/bounded', callerOf(tenant), undefined);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      done += 1;
      giveBack();
    };
    await Promise.all(Array.from({ length: 24 }, (_, n) => call(processes[n % 2]!)));
    expect({ most: most <= 3, done }).toEqual({ most: true, done: 24 });
  });

  it('gives a free place to the tenant with the fewest places, and within a tenant to calls that a person waits for', async () => {
    const turns = new SharedModelTurns(test.unitOfWork, 2);
    const [busy, quiet] = [newTenant(), newTenant()];
    const held = [
      await turns.take('p/fair', callerOf(busy), undefined),
      await turns.take('p/fair', callerOf(busy), undefined),
    ];
    const order: string[] = [];
    const wait = async (name: string, caller: ModelCaller): Promise<void> => {
      const giveBack = await turns.take('p/fair', caller, undefined);
      order.push(name);
      giveBack();
    };
    const waiting = [wait('busy 1', callerOf(busy)), wait('busy 2', callerOf(busy))];
    await until(async () => (await countWaiting('p/fair')) === 2);
    waiting.push(wait('busy person', callerOf(busy, 'search')), wait('quiet', callerOf(quiet)));
    await until(async () => (await countWaiting('p/fair')) === 4);
    held[0]!();
    await Promise.all(waiting);
    held[1]!();
    expect(order[0]).toBe('quiet');
    expect(order.indexOf('busy person')).toBeLessThan(order.indexOf('busy 1'));
  });

  it('reuses the places of a dead process, and keeps none for a caller who has left', async () => {
    const turns = new SharedModelTurns(test.unitOfWork, 1);
    await test.unitOfWork.runAsSystem((manager) =>
      manager.query(
        `INSERT INTO model_turns (id, model, party, waits_for_person, granted_at, expires_at)
         VALUES ($1, 'p/dead', $1, false, now(), now() - interval '1 second')`,
        [newId()],
      ),
    );
    const first = await turns.take('p/dead', undefined, undefined);
    const gone = new AbortController();
    const second = turns.take('p/dead', undefined, gone.signal);
    gone.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    first();
    (await turns.take('p/dead', undefined, undefined))();
    await until(async () => (await countAll('p/dead')) === 0);
  });
});

async function countWaiting(model: string): Promise<number> {
  return count(`model = $1 AND granted_at IS NULL`, model);
}

async function countAll(model: string): Promise<number> {
  return count(`model = $1`, model);
}

async function count(condition: string, model: string): Promise<number> {
  const rows = await test.unitOfWork.runAsSystem<{ n: number }[]>((manager) =>
    manager.query(`SELECT count(*)::int AS n FROM model_turns WHERE ${condition}`, [model]),
  );
  return rows[0]!.n;
}
