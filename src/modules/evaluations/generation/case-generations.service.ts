import { Injectable } from '@nestjs/common';
import { AuditLog, UnitOfWork } from '#libs/database';
import { validationFailed } from '#libs/http';
import { Tasks } from '#libs/tasks';
import { authErrors, type Permission, type RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import { toCaseSetHead } from '../records/case-set-views.js';
import { CaseSetsRepository, type CaseSetRow } from '../records/case-sets.repository.js';
import type { CaseSetHead } from '../records/case-set.dto.js';
import { MAX_GENERATED_NAME, type GenerateCaseSetRequest } from '../records/generation.dto.js';
import { WritingModel } from '../cases/writing-model.service.js';
import { CASE_GENERATION } from './case-generation.task.js';
import type { GenerationMethod, GenerationState } from '../cases/generation-state.js';

/** Case sets that the service makes of documents: started here, made by a worker. */
@Injectable()
export class CaseGenerations {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly sets: CaseSetsRepository,
    private readonly access: DatasetAccess,
    private readonly tasks: Tasks,
    private readonly audit: AuditLog,
    private readonly models: WritingModel,
  ) {}

  /** @throws `datasets.not_found`, `auth.permission_missing`, `evaluations.chat_model_needed`, `http.validation_failed` */
  async start(ctx: RequestContext, request: GenerateCaseSetRequest): Promise<CaseSetHead> {
    const { dataset_id: wanted, unanswerable_from: further = [], count, method, seed = 0 } = request;
    const datasets = await this.access.requireAllVisible(ctx, [wanted, ...further]);
    requireRights(ctx, method);
    checkFurther(wanted, further, count);
    const model = method === 'llm' ? this.models.require('llm', '/method').id : null;
    const ids = datasets.map(({ id }) => id);
    const name = request.name ?? `Cases of ${datasets[0]!.name}`.slice(0, MAX_GENERATED_NAME);
    const generation: GenerationState = {
      status: 'pending',
      method,
      dataset_id: ids[0]!,
      unanswerable_from: ids.slice(1),
      count,
      seed,
      model,
      error_code: null,
      error: null,
    };
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const { id } = await this.sets.insert(inner, name.toWellFormed(), ids, [], generation);
      const task = await this.tasks.promise(inner, CASE_GENERATION, { caseSetId: id }, { subject: id });
      await this.sets.setTask(inner, id, task);
      const details = { dataset_ids: ids, count, method };
      await this.audit.append(inner, { event: 'evaluation.case_set_generated', subject: `case_set:${id}`, details });
      return toCaseSetHead((await this.sets.find(inner, id))!);
    });
  }
}

/** A set as it is after its task: one whose worker gave it up has failed. */
@Injectable()
export class SettledCaseSets {
  constructor(
    private readonly sets: CaseSetsRepository,
    private readonly tasks: Tasks,
  ) {}

  async settle(ctx: RequestContext, set: CaseSetRow): Promise<CaseSetRow> {
    const { generation, task_id: taskId } = set;
    if (taskId === null || (generation?.status !== 'pending' && generation?.status !== 'running')) return set;
    const task = await this.tasks.find(ctx, taskId);
    if (task?.status !== 'failed' && task?.status !== 'cancelled') return set;
    const error_code = task.error?.code ?? 'evaluations.given_up';
    await this.sets.setGeneration(ctx, set.id, {
      status: 'failed',
      error_code,
      error: task.error?.message ?? 'The work was given up.',
    });
    return (await this.sets.find(ctx, set.id)) ?? set;
  }
}

/** Cases repeat sentences of documents; a model is asked as a chat would be. @throws `auth.permission_missing` */
export function requireRights({ principal }: RequestContext, method: GenerationMethod): void {
  const needed: Permission[] = ['documents:read', 'retrieval:search'];
  if (method === 'llm') needed.push('chat:complete');
  for (const permission of needed)
    if (!principal.permissions.has(permission))
      throw authErrors.permission_missing({ permission, kind: principal.kind });
}

function checkFurther(wanted: string, further: readonly string[], count: number): void {
  const same = further.findIndex((id) => id.toLowerCase() === wanted.toLowerCase());
  const problem = (pointer: string, code: string, detail: string): Error =>
    validationFailed([{ pointer, code, detail }]);
  if (same !== -1)
    throw problem(`/unanswerable_from/${same}`, 'exclusive', 'is dataset_id: what it holds can be answered');
  if (further.length > 0 && count < 2)
    throw problem('/count', 'min', 'must be at least 2 with unanswerable_from: one case with an answer, one without');
}
