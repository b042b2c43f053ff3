import { LowPriority, type DatasetId, type JsonObject } from '#libs/common';
import { UnitOfWork } from '#libs/database';
import { TaskFailed, TaskHandler, type RunningTask } from '#libs/tasks';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import { lastingRefusalOf } from '../cases/temporary-failures.js';
import { CaseSetsRepository } from '../records/case-sets.repository.js';
import { CaseTextsRepository } from '../records/case-texts.repository.js';
import type { EvaluationCase } from '../cases/evaluation-case.js';
import { evaluationErrors } from '../evaluations.errors.js';
import { keysOf, toCase } from './case-candidates.js';
import { CASE_GENERATION, type CaseGenerationPayload } from './case-generation.task.js';
import { requireRights } from './case-generations.service.js';
import { CaseSource } from './case-source.service.js';
import { unanswerableOf, type GenerationState } from '../cases/generation-state.js';
import { PassagesRepository, type Passage } from './passages.repository.js';

/** Questions that are taken of one passage at the first look, so that they come from many documents; at the second look all. */
const FIRST_LOOK = 1;
const MOST_OF_MODEL = 3;
/** A model is asked about this many passages for each case that is wanted, and some more. */
const PASSAGES_PER_CASE = 3;
const MOST_PASSAGES = 20_000;
/** After this many passages it is looked whether the set is still there. */
const LOOKS = 50;

/** One kind of case that is wanted. */
interface Part {
  readonly answerable: boolean;
  readonly wanted: number;
  readonly datasetIds: readonly DatasetId[];
}

/** What is there already: places, and what was asked. */
interface Made {
  readonly seen: Set<string>;
  place: number;
  answerable: number;
  unanswerable: number;
  /** Passages. */
  readonly looked: { answerable?: number; unanswerable?: number };
}

/** Makes the cases of a set one after the other, each kept at once; begun again it goes on behind the passages that it has looked at. */
@TaskHandler(CASE_GENERATION)
export class CaseGenerationRun implements TaskHandler<CaseGenerationPayload> {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly sets: CaseSetsRepository,
    private readonly texts: CaseTextsRepository,
    private readonly passages: PassagesRepository,
    private readonly source: CaseSource,
    private readonly access: DatasetAccess,
    private readonly lowPriority: LowPriority,
  ) {}

  async run(task: RunningTask<CaseGenerationPayload>): Promise<JsonObject> {
    const { ctx, signal, payload } = task;
    try {
      return await this.carryOut(task);
    } catch (error) {
      signal.throwIfAborted();
      const refusal = lastingRefusalOf(error);
      // Another try would end the same way: rights, datasets or their content are not what they were.
      if (refusal === undefined) throw error;
      const end = { status: 'failed', error_code: refusal.code, error: refusal.message } as const;
      await this.sets.setGeneration(ctx, payload.caseSetId, end);
      throw new TaskFailed(refusal.code, refusal.message);
    }
  }

  private async carryOut(task: RunningTask<CaseGenerationPayload>): Promise<JsonObject> {
    const { ctx, payload } = task;
    const set = await this.sets.find(ctx, payload.caseSetId);
    if (set === undefined || set.generation === null) return { ended: true };
    const { generation } = set;
    requireRights(ctx, generation.method);
    const datasets = await this.access.requireAllVisible(ctx, set.dataset_ids);
    if (!(await this.sets.setGeneration(ctx, set.id, { status: 'running' }))) return { ended: true };
    const unanswerable = unanswerableOf(generation);
    const [own, ...further] = datasets.map(({ id }) => id);
    const made = await this.madeBefore(task, set.id, generation.method);
    const parts: readonly Part[] = [
      { answerable: true, wanted: generation.count - unanswerable, datasetIds: [own!] },
      { answerable: false, wanted: unanswerable, datasetIds: further },
    ];
    for (const part of parts)
      if (part.wanted > 0 && !(await this.make(task, generation, part, made))) return { ended: true };
    if (made.place === 0) throw evaluationErrors.nothing_to_ask({});
    await this.sets.setGeneration(ctx, set.id, { status: 'completed' });
    return { cases: made.place };
  }

  /**
   * Rules are cheap and begin again, so that every try ends the same way, but for one that gave way behind a passage and kept nothing
   * since; what a model wrote is kept.
   */
  private async madeBefore(
    { ctx, progress }: RunningTask<CaseGenerationPayload>,
    caseSetId: string,
    method: GenerationState['method'],
  ): Promise<Made> {
    let rows = await this.texts.list(ctx, { caseSetId, version: 1 });
    const goesOn = method === 'llm' || progress['cases'] === rows.length;
    if (!goesOn) {
      await this.unitOfWork.run(ctx, (_manager, inner) => this.texts.forgetBefore(inner, caseSetId, 2));
      rows = [];
    }
    const cases = rows.map(({ one }) => one);
    return {
      seen: new Set(cases.flatMap(keysOf)),
      place: (rows.at(-1)?.place ?? -1) + 1,
      answerable: cases.filter(({ answerable }) => answerable).length,
      unanswerable: cases.filter(({ answerable }) => !answerable).length,
      looked: goesOn ? lookedIn(progress) : {},
    };
  }

  /** False when the generation was ended meanwhile. */
  private async make(
    task: RunningTask<CaseGenerationPayload>,
    generation: GenerationState,
    part: Part,
    made: Made,
  ): Promise<boolean> {
    const { ctx, signal, payload } = task;
    const isModel = generation.method === 'llm';
    const all = await this.passages.count(ctx, part.datasetIds);
    const perPassage = isModel
      ? Math.min(MOST_OF_MODEL, Math.max(1, Math.ceil(part.wanted / Math.max(1, all))))
      : FIRST_LOOK;
    const bound = isModel ? Math.min(MOST_PASSAGES, part.wanted * PASSAGES_PER_CASE + 20) : MOST_PASSAGES;
    const key = part.answerable ? 'answerable' : 'unanswerable';
    let looked = 0;
    const done = made.looked[key] ?? 0;
    for (const most of isModel ? [perPassage] : [FIRST_LOOK, Infinity]) {
      for await (const passage of this.passages.read(ctx, part.datasetIds, `${generation.seed}/`)) {
        if (made[key] >= part.wanted || looked >= bound) return true;
        looked += 1;
        if (looked <= done) continue;
        signal.throwIfAborted();
        const began = performance.now();
        await this.takeFrom(task, generation, part, made, passage, { asked: perPassage, taken: most });
        await this.lowPriority.pause(performance.now() - began, signal);
        made.looked[key] = looked;
        if (isModel) await task.report({ ...made.looked });
        if ((isModel || looked % LOOKS === 0) && !(await this.sets.setGeneration(ctx, payload.caseSetId, {})))
          return false;
        await task.giveWay({ ...made.looked, cases: made.answerable + made.unanswerable });
      }
    }
    return true;
  }

  /** Keeps what is new of the questions of a passage, this many at most. */
  private async takeFrom(
    { ctx, signal, payload }: RunningTask<CaseGenerationPayload>,
    generation: GenerationState,
    { answerable, wanted, datasetIds }: Part,
    made: Made,
    passage: Passage,
    most: { readonly asked: number; readonly taken: number },
  ): Promise<void> {
    const key = answerable ? 'answerable' : 'unanswerable';
    let taken = 0;
    for (const candidate of await this.source.candidatesOf(ctx, generation, passage, {
      datasetIds,
      most: most.asked,
      signal,
    })) {
      if (taken >= most.taken || made[key] >= wanted) return;
      const one = toCase(candidate, answerable);
      if (keysOf(one).some((text) => made.seen.has(text))) continue;
      if (!answerable && (await this.source.isAnswered(ctx, generation.dataset_id, candidate, signal))) continue;
      if (!(await this.keep(ctx, payload.caseSetId, one, made, datasetIds))) continue;
      made[key] += 1;
      taken += 1;
    }
  }

  private async keep(
    ctx: RequestContext,
    caseSetId: string,
    one: EvaluationCase,
    made: Made,
    datasetIds: readonly string[],
  ): Promise<boolean> {
    const place = made.place;
    const closed = await this.unitOfWork.run(ctx, (_manager, inner) =>
      this.texts.keep(inner, { caseSetId, version: 1 }, [{ place, one }], datasetIds),
    );
    if (closed.length > 0) return false;
    for (const text of keysOf(one)) made.seen.add(text);
    made.place += 1;
    return true;
  }
}

function lookedIn({ answerable, unanswerable }: JsonObject): Made['looked'] {
  return { answerable: Number(answerable ?? 0), unanswerable: Number(unanswerable ?? 0) };
}
