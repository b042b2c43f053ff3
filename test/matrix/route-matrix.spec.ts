import { afterAll, describe, expect, it } from 'vitest';
import { ApiClient, type Answer, type Problem } from '../support/api-client.js';
import { expectProblem } from '../support/problem.js';
import { ServiceProcess } from '../support/service-process.js';
import { CALLERS, makeCallers, type Caller } from './callers.js';
import { exceptionFor, EXCEPTIONS, expectedAnswer, type ExpectedAnswer } from './expected-answer.js';
import { operationsOf, readDescription, type Operation } from './operations.js';
import { REQUESTS } from './requests.js';
import { prepare, prepareFor, recipeOf } from './send-request.js';
import { snapshot } from './snapshot.js';
import { makeWorld, SECRET, WORLD_SETTINGS, type Target } from './world.js';

// Tests are made of the description of the running service, so it starts before them.
const service = await ServiceProcess.start({ settings: WORLD_SETTINGS });
afterAll(() => service.dispose());
const operations = operationsOf(await readDescription(new ApiClient(service.url)));
const world = await makeWorld(service);
const callers = await makeCallers(world);

/** Well-formed ids that were never given out. */
const NEVER: Target = {
  tenant: '01900000-0000-7000-8000-000000000001',
  dataset: '01900000-0000-7000-8000-000000000002',
  document: '01900000-0000-7000-8000-000000000003',
  category: '01900000-0000-7000-8000-000000000004',
  apiKey: '01900000-0000-7000-8000-000000000005',
  account: '01900000-0000-7000-8000-000000000006',
  invitation: '01900000-0000-7000-8000-000000000009',
  invitationSecret: 'kbi_never-given-out',
  purge: '01900000-0000-7000-8000-000000000007',
  request: '01900000-0000-7000-8000-000000000008',
  reembedding: '01900000-0000-7000-8000-000000000042',
};

describe('the table of requests', () => {
  it('has an entry for every operation of the description, and none besides', () => {
    expect(Object.keys(REQUESTS).toSorted()).toEqual(operations.map(({ name }) => name).toSorted());
  });

  it('has no exception that holds for no cell', () => {
    const used = operations.flatMap((operation) => callers.map((caller) => exceptionFor(operation, caller)));
    expect(EXCEPTIONS.filter((entry) => !used.includes(entry))).toEqual([]);
  });
});

/** What the answer says, without what differs in every request; ids of the target under one name. */
function comparable(answer: Answer<unknown>, target: Target): unknown {
  const { instance: _instance, request_id: _requestId, ...rest } = answer.body as Problem;
  let text = JSON.stringify(rest);
  for (const [kind, id] of Object.entries(target)) text = text.replaceAll(id as string, kind);
  return { status: answer.status, ...(JSON.parse(text) as object) };
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
    expect(answer.body).toEqual({ accepted: [], rejected: [rejected] });
    return;
  }
  for (const id of [target.dataset, target.document]) expect(text).not.toContain(id);
  expect(text, 'a count of datasets that the caller does not see').not.toMatch(/"dataset_count":[1-9]/);
  if (expected.isEmpty === true) expect(answer.body).toMatchObject({ items: [], total: 0 });
}

/** An object that the caller may not see is answered exactly like one that does not exist. */
async function expectLikeAbsent(
  operation: Operation,
  caller: Caller,
  answer: Answer<unknown>,
  target: Target,
): Promise<void> {
  const absent = await (await prepareFor(operation, world, NEVER)).send(caller.client);
  expect(comparable(answer, target)).toEqual(comparable(absent, NEVER));
}

describe.each(operations)('$name', (operation) => {
  it.each(CALLERS)('for %s', async (name) => {
    const caller = callers.find((candidate) => candidate.name === name)!;
    const { subject } = recipeOf(operation);
    const expected = expectedAnswer(operation, subject, caller);

    const owners = await (await prepare(operation, world)).send(world.owner.client);
    expect([200, 201, 202, 204], JSON.stringify(owners.body)).toContain(owners.status);
    if (subject === 'bulk') expect(owners.body).toMatchObject({ accepted: [expect.any(String)], rejected: [] });

    const request = await prepare(operation, world);
    const isRefused = expected.status !== 'success' || expected.isRejected === true;
    const changesNothing = operation.method !== 'GET' && isRefused;
    const before = changesNothing ? await snapshot(world) : undefined;
    const answer = await request.send(caller.client);
    expectAsPromised(answer, expected, request.target);
    if (expected.status === 404) await expectLikeAbsent(operation, caller, answer, request.target);
    if (changesNothing) expect(await snapshot(world)).toEqual(before);
  });
});
