import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Problem } from '../support/api-client.js';
import { expectProblem } from '../support/problem.js';
import type { Caller } from './callers.js';
import { expectedAnswer, isRefusal, type ExpectedAnswer } from './expected-answer.js';
import type { Operation } from './operations.js';
import type { Recipes } from './request-recipe.js';
import { prepare, prepareFor, type PreparedRequest } from './send-request.js';
import { snapshot } from './snapshot.js';
import { SECRET, type Target, type World } from './world.js';

/** Well-formed ids that were never given out. */
const NEVER: Target = {
  tenant: '01900000-0000-7000-8000-000000000001',
  dataset: '01900000-0000-7000-8000-000000000002',
  document: '01900000-0000-7000-8000-000000000003',
  category: '01900000-0000-7000-8000-000000000004',
  apiKey: '01900000-0000-7000-8000-000000000005',
  session: '01900000-0000-7000-8000-000000000046',
  account: '01900000-0000-7000-8000-000000000006',
  invitation: '01900000-0000-7000-8000-000000000009',
  invitationSecret: 'kbi_never-given-out',
  purge: '01900000-0000-7000-8000-000000000007',
  request: '01900000-0000-7000-8000-000000000008',
  reembedding: '01900000-0000-7000-8000-000000000042',
  webhook: '01900000-0000-7000-8000-000000000011',
  delivery: '01900000-0000-7000-8000-000000000012',
  caseSet: '01900000-0000-7000-8000-000000000043',
  evaluation: '01900000-0000-7000-8000-000000000044',
  conversation: '01900000-0000-7000-8000-000000000045',
  turn: '01900000-0000-7000-8000-000000000047',
  sharedAnswer: '01900000-0000-4000-8000-000000000048',
  own: '01900000-0000-7000-8000-000000000010',
};

/** No key can hold these. */
const ACCOUNTS_ONLY = ['platform:tenants'];

interface Cell {
  readonly name: string;
  readonly caller: Caller;
  readonly expected: ExpectedAnswer;
}

/**
 * Asks every operation that `recipes` knows, as its owner and as everybody else. Those who must be refused ask first, one after
 * another about the same object: what the owner has is compared once, before and after all of them.
 */
export function describeRoutes(
  operations: readonly Operation[],
  recipes: Recipes,
  world: World,
  callers: readonly Caller[],
): void {
  const named = operations.filter(({ name }) => name in recipes);

  it('has requests for routes that the description has', () => {
    expect(named.map(({ name }) => name).toSorted()).toEqual(Object.keys(recipes).toSorted());
  });

  describe.each(named)('$name', (operation) => {
    const recipe = recipes[operation.name]!;
    const { subject } = recipe;
    const cells = callers.map((caller): Cell => {
      return { name: caller.name, caller, expected: expectedAnswer(operation, subject, caller) };
    });
    const refused = cells.filter(({ expected }) => isRefusal(expected));
    const welcome = cells.filter(({ expected }) => !isRefusal(expected));
    const changes = operation.method !== 'GET';

    /** An object that the caller may not see is answered exactly like one that does not exist. */
    async function expectLikeAbsent({ client }: Caller, answer: Answer<unknown>, target: Target): Promise<void> {
      const absent = await (await prepareFor(operation, world, NEVER, recipe)).send(client);
      expect(comparable(answer, target)).toEqual(comparable(absent, NEVER));
    }

    describe.runIf(refused.length > 0)('refuses', () => {
      let request: PreparedRequest;
      let before: unknown;
      beforeAll(async () => {
        request = await prepare(operation, world, recipe);
        if (changes) before = await snapshot(world);
      });

      it.each(refused)('$name', async ({ caller, expected }) => {
        const answer = await request.send(caller.client);
        expectAsPromised(answer, expected, request.target);
        expectToNameWhatIsMissing(answer, operation, caller);
        if (expected.status === 404) await expectLikeAbsent(caller, answer, request.target);
      });

      if (!changes) return;
      it('without a change of what the owner has', async () => {
        expect(await snapshot(world)).toEqual(before);
      });
    });

    it('answers the owner', async () => {
      const { status, body } = await (await prepare(operation, world, recipe)).send(world.owner.client);
      expect([200, 201, 202, 204], JSON.stringify(body)).toContain(status);
      if (subject === 'bulk') expect(body).toMatchObject({ accepted: [expect.any(String)], rejected: [] });
    });

    // What changes nothing is asked by all of them side by side: one route takes five seconds for its answer.
    (changes ? it : it.concurrent).each(welcome)('answers $name', async ({ caller, expected }) => {
      const request = await prepare(operation, world, recipe);
      expectAsPromised(await request.send(caller.client), expected, request.target);
    });
  });
}

/** What the answer says, without what differs in every request; ids of the target under one name. */
function comparable(answer: Answer<unknown>, target: Target): unknown {
  const { instance: _instance, request_id: _requestId, ...rest } = answer.body as Problem;
  let text = JSON.stringify(rest);
  for (const [kind, id] of Object.entries(target)) text = text.replaceAll(id as string, kind);
  return { status: answer.status, ...(JSON.parse(text) as object) };
}

/** A key can be made again with a scope; only an account has to ask someone. */
function expectToNameWhatIsMissing(answer: Answer<unknown>, { permission }: Operation, { kind }: Caller): void {
  const { code, detail } = answer.body as Problem;
  if (code !== 'auth.permission_missing') return;
  expect(detail).toMatch(new RegExp(`\\b(scope|permission) ${permission}\\b`));
  if (kind === 'api_key') expect(detail).not.toMatch(/administrator/i);
  if (kind === 'api_key' && !ACCOUNTS_ONLY.includes(permission)) expect(detail).toContain(`scope ${permission}`);
}

function expectAsPromised(answer: Answer<unknown>, expected: ExpectedAnswer, target: Target): void {
  const text = JSON.stringify(answer.body);
  expect(text).not.toContain(SECRET);
  if (expected.status !== 'success') {
    expectProblem(answer, expected.status, /^[a-z_]+\.[a-z_]+$/);
    return;
  }
  expect(answer.status, text).toBeGreaterThanOrEqual(200);
  expect(answer.status, text).toBeLessThan(300);
  if (expected.isRejected === true) {
    const rejected = { id: target.document, code: 'documents.not_found', detail: expect.stringMatching(/\S/) };
    const { awaiting = [], ...rest } = answer.body as { awaiting?: unknown[] };
    expect(awaiting).toEqual([]);
    expect(rest).toEqual({ accepted: [], rejected: [rejected] });
    return;
  }
  for (const id of [target.dataset, target.document]) expect(text).not.toContain(id);
  expect(text, 'a count of datasets that the caller does not see').not.toMatch(/"dataset_count":[1-9]/);
  if (expected.isNone === true) expect(answer.body).toMatchObject({ total: 0, status: [], tag: [] });
  if (expected.isEmpty === true) expect(answer.body).toMatchObject({ items: [], total: 0 });
}
