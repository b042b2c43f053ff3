import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, createTestMember, type TestDatabase, type TestMember } from '#libs/testing';
import { AnswersInContext0090 } from './migrations/0090-answers-in-context.js';

let test: TestDatabase;
let member: TestMember;
beforeAll(async () => {
  test = await createTestDatabase();
  member = await createTestMember(test.unitOfWork, 'viewer');
});
afterAll(() => test.close());

/** A conversation as it was kept before the upgrade: of the turns that are given, true has its answer. */
async function converse(places: Readonly<Record<number, boolean>>): Promise<{ id: string; turns: string[] }> {
  const { ctx, tenantId, accountId } = member;
  const id = randomUUID();
  const turns: string[] = [];
  await test.unitOfWork.run(ctx, async (manager) => {
    await manager.query(`INSERT INTO conversations (id, tenant_id, account_id) VALUES ($1, $2, $3)`, [
      id,
      tenantId,
      accountId,
    ]);
    for (const [place, isAnswered] of Object.entries(places)) {
      const turn = randomUUID();
      turns.push(turn);
      await manager.query(
        `INSERT INTO conversation_turns (id, tenant_id, conversation_id, place, request_id, question, model, dataset_ids, state, content, asked_at)
         VALUES ($1, $2, $3, $4, 'r', 'Why?', 'm', '{}', 'complete', $5, now())`,
        [turn, tenantId, id, Number(place), isAnswered ? '{}' : null],
      );
    }
  });
  return { id, turns };
}

it('answers of before the upgrade count as given all that was said, and go where some of that has gone', async () => {
  const whole = await converse({ 1: true, 2: true, 3: true });
  const forgotten = await converse({ 1: true, 2: false, 3: true });
  const removed = await converse({ 1: true, 3: true });
  const runner = test.database.source.createQueryRunner();
  await runner.startTransaction();
  await runner.query(`ALTER TABLE conversation_turns DROP COLUMN context_turn_ids`);
  await new AnswersInContext0090().up(runner);
  await runner.commitTransaction();
  await runner.release();
  const turnsOf = ({ id }: { readonly id: string }): Promise<unknown> =>
    test.unitOfWork.run(member.ctx, (manager) =>
      manager.query(
        `SELECT context_turn_ids AS given, content IS NOT NULL AS kept FROM conversation_turns WHERE conversation_id = $1 ORDER BY place`,
        [id],
      ),
    );
  const [first, second] = whole.turns;
  expect(await turnsOf(whole)).toEqual([
    { given: [], kept: true },
    { given: [first], kept: true },
    { given: [first, second], kept: true },
  ]);
  expect(await turnsOf(forgotten)).toMatchObject([{ kept: true }, { kept: false }, { kept: false }]);
  expect(await turnsOf(removed)).toMatchObject([{ kept: true }, { kept: false }]);
});
