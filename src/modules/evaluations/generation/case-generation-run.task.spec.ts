import { describe, expect, it } from 'vitest';
import { LowPriority, newId } from '#libs/common';
import type { UnitOfWork } from '#libs/database';
import { ROLE_PERMISSIONS, type RequestContext } from '#libs/tenancy';
import { inTurns, runningTask } from '../../../../libs/tasks/src/testing/tasks-over.js';
import type { DatasetAccess } from '../../datasets/index.js';
import type { CaseSetsRepository } from '../records/case-sets.repository.js';
import type { CaseTextsRepository } from '../records/case-texts.repository.js';
import type { EvaluationCase } from '../cases/evaluation-case.js';
import { CaseGenerationRun } from './case-generation-run.task.js';
import type { CaseSource } from './case-source.service.js';
import type { PassagesRepository } from './passages.repository.js';

const PASSAGES = 4;
const ctx = {
  tenantId: newId(),
  principal: { kind: 'system', permissions: new Set(ROLE_PERMISSIONS.owner) },
  requestId: 'r',
} as unknown as RequestContext;

/** A set of cases that is made of four passages with two questions each, and the passages that were looked at. */
function generation(method: 'rules' | 'llm', count: number) {
  const set = {
    id: newId(),
    dataset_ids: [],
    generation: { method, count, seed: 1, dataset_id: '', unanswerable_from: [] },
  };
  let kept: { place: number; one: EvaluationCase }[] = [];
  const looks: string[] = [];
  const sets = { find: async () => set, setGeneration: async () => true };
  const texts = {
    list: async () => kept.map((row) => ({ ...row, outdated: false })),
    forgetBefore: async () => void (kept = []),
    keep: async (_ctx: unknown, _owner: unknown, rows: typeof kept) => {
      kept.push(...rows);
      return [];
    },
  };
  const passages = {
    count: async () => PASSAGES,
    read: async function* () {
      for (let n = 0; n < PASSAGES; n += 1) yield { documentId: newId(), text: `passage ${n}` };
    },
  };
  const source = {
    candidatesOf: async (
      _ctx: unknown,
      _state: unknown,
      { documentId, text }: { documentId: string; text: string },
    ) => {
      looks.push(text);
      return [1, 2].map((n) => ({
        documentId,
        question: `${text}, question ${n}?`,
        answer: 'yes',
        evidence: `${text}, sentence ${n}.`,
        language: 'en',
      }));
    },
  };
  const unitOfWork = {
    run: async (_ctx: unknown, work: (manager: null, inner: unknown) => unknown) => work(null, ctx),
  };
  const run = new CaseGenerationRun(
    unitOfWork as unknown as UnitOfWork,
    sets as unknown as CaseSetsRepository,
    texts as unknown as CaseTextsRepository,
    passages as unknown as PassagesRepository,
    source as unknown as CaseSource,
    { requireAllVisible: async () => [{ id: newId() }] } as unknown as DatasetAccess,
    { pause: async () => undefined } as unknown as LowPriority,
  );
  return {
    run,
    looks,
    task: runningTask(ctx, { caseSetId: set.id }),
    questions: () => kept.map(({ one }) => one.query),
  };
}

describe.each(['rules', 'llm'] as const)('cases that are made by %s', (method) => {
  it('are the same when they are generated in several turns, and each passage is read equally often', async () => {
    const [whole, sliced] = [generation(method, 6), generation(method, 6)];
    await whole.run.run(whole.task);
    const { turns, result } = await inTurns(sliced.run, sliced.task);
    expect(turns).toBe(sliced.looks.length + 1);
    expect(sliced.looks).toEqual(whole.looks);
    expect(sliced.questions()).toEqual(whole.questions());
    expect(result).toEqual({ cases: 6 });
  });
});

describe('cases that are made by rules', () => {
  it('are generated again where something was stored after the worker was given up', async () => {
    const made = generation('rules', 6);
    const died = { ...made.task, progress: { answerable: 2, unanswerable: 0, cases: 5 } };
    await made.run.run(died);
    expect(made.questions()).toHaveLength(6);
    expect(made.questions()[0]).toBe('passage 0, question 1?');
  });
});
