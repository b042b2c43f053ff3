import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '#libs/database';
import { IdempotencyService, type KeptResponse } from '#libs/http';
import { Metrics } from '#libs/metrics';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { runningTask } from '../../../../libs/tasks/src/testing/tasks-over.js';
import { ExpiredIdempotencyKeys } from './expired-idempotency-keys.task.js';
import { TenantDirectory } from '../tenants/tenant-directory.repository.js';

const ANSWER: KeptResponse = { status: 201, headers: {}, body: { id: 'first' } };

let test: TestDatabase;
let idempotency: IdempotencyService;
let retention: ExpiredIdempotencyKeys;

beforeAll(async () => {
  test = await createTestDatabase();
  idempotency = new IdempotencyService(test.unitOfWork);
  retention = new ExpiredIdempotencyKeys(new TenantDirectory(test.unitOfWork), idempotency, new Metrics());
});
afterAll(() => test.close());

function ask(member: TestMember, key: string, answer = ANSWER): Promise<unknown> {
  const request = { key, route: 'POST /things', bodyHash: 'same' };
  return idempotency.run(member.ctx, request, async () => answer);
}

async function expire(member: TestMember, key: string): Promise<void> {
  await test.unitOfWork.run(member.ctx, (manager) =>
    manager.query(`UPDATE idempotency_keys SET expires_at = now() - interval '1 second' WHERE key = $1`, [key]),
  );
}

async function keysOf(member: TestMember): Promise<string[]> {
  const rows = await test.unitOfWork.run(member.ctx, (manager) =>
    rowsOf<{ key: string }>(manager, `SELECT key FROM idempotency_keys ORDER BY key`),
  );
  return rows.map(({ key }) => key);
}

describe('results of requests with a key', () => {
  it('are removed when they have expired, in every tenant, and no others', async () => {
    const [one, two] = [await createTestMember(test.unitOfWork), await createTestMember(test.unitOfWork)];
    for (const member of [one, two]) for (const key of ['old', 'young']) await ask(member, key);
    for (const member of [one, two]) await expire(member, 'old');
    expect(await retention.run(runningTask(one.ctx, {}))).toEqual({ removed: 2 });
    expect([await keysOf(one), await keysOf(two)]).toEqual([['young'], ['young']]);
  });

  it('are replaced by a new result when they have expired, and not before', async () => {
    const member = await createTestMember(test.unitOfWork);
    const second = { ...ANSWER, body: { id: 'second' } };
    await ask(member, 'again');
    expect(await ask(member, 'again', second)).toMatchObject({ replayed: true, body: { id: 'first' } });
    await expire(member, 'again');
    expect(await ask(member, 'again', second)).toMatchObject({ replayed: false, body: { id: 'second' } });
    expect(await ask(member, 'again', ANSWER)).toMatchObject({ replayed: true, body: { id: 'second' } });
  });
});
