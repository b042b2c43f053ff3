import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, createTestMember, type TestDatabase } from '#libs/testing';
import { AuditLog } from './audit-log.js';
import { VouchedOwners0058 } from './migrations/0058-vouched-owners.js';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

it('owners that tenants were made with before are vouched for after the upgrade, and no one else is', async () => {
  const platform = await createTestMember(test.unitOfWork, 'owner');
  const [made, joined] = [
    await createTestMember(test.unitOfWork, 'owner'),
    await createTestMember(test.unitOfWork, 'owner'),
  ];
  const audit = new AuditLog(test.unitOfWork);
  for (const [owner, isMade] of [
    [made, true],
    [joined, false],
  ] as const) {
    const details = { admin_account_id: owner.accountId, account_made: isMade };
    await audit.append(platform.ctx, { event: 'tenant.created', subject: `tenant:${owner.tenantId}`, details });
  }
  const runner = test.database.source.createQueryRunner();
  await runner.startTransaction();
  await new VouchedOwners0058().up(runner);
  await runner.commitTransaction();
  await runner.release();
  const rows = await test.unitOfWork.runAsSystem<unknown>((manager) =>
    manager.query('SELECT id FROM accounts WHERE vouched'),
  );
  expect(rows).toEqual([{ id: made.accountId }]);
});
