import { Injectable } from '@nestjs/common';
import { isUuid } from '#libs/common';
import { AuditLog, UnitOfWork } from '#libs/database';
import { validationFailed } from '#libs/http';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import type {
  CaseSet,
  CaseSetHead,
  CaseSetPage,
  CreateCaseSetRequest,
  ListCaseSetsQuery,
  UpdateCaseSetRequest,
} from '../dto/case-set.dto.js';
import { evaluationErrors } from '../evaluations.errors.js';
import { CaseSetsRepository, type CaseSetRow } from './case-sets.repository.js';
import { readCsvCases } from './csv-cases.js';
import type { EvaluationCase } from './evaluation-case.js';
import { parseCases } from './parse-cases.js';

/** A set of cases with the cases of one version. */
export interface FoundCases {
  readonly set: CaseSetRow;
  readonly cases: readonly EvaluationCase[];
}

/** Sets of cases: kept with their versions, shown to who sees all their datasets. */
@Injectable()
export class CaseSetsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly sets: CaseSetsRepository,
    private readonly access: DatasetAccess,
    private readonly audit: AuditLog,
  ) {}

  /** @throws `datasets.not_found`, `http.validation_failed` */
  async create(ctx: RequestContext, request: CreateCaseSetRequest): Promise<CaseSetHead> {
    const cases = casesOf(request);
    if (cases === undefined) throw fieldProblem('/cases', 'required', 'send cases, or the same as csv');
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const datasets = await this.access.requireAllVisible(inner, request.dataset_ids);
      const ids = datasets.map(({ id }) => id);
      const id = await this.sets.insert(inner, request.name, ids, cases);
      await this.audit.append(inner, {
        event: 'evaluation.case_set_created',
        subject: `case_set:${id}`,
        details: { case_count: cases.length, dataset_ids: ids },
      });
      return toHead(await this.require(inner, id));
    });
  }

  async list(ctx: RequestContext, query: ListCaseSetsQuery): Promise<CaseSetPage> {
    const { dataset_id: datasetId, order_by: orderBy, skip, limit } = query;
    const filter = { orderBy, skip, limit, ...(datasetId === undefined ? {} : { datasetId }) };
    const page = await this.sets.list(ctx, filter);
    return { ...page, items: page.items.map(toHead) };
  }

  /** @throws `evaluations.case_set_not_found` */
  async read(ctx: RequestContext, id: string, version?: number): Promise<CaseSet> {
    const { set, cases } = await this.findCases(ctx, id, version);
    return { ...toHead(set), version: version ?? set.version, cases: cases.map((one) => ({ ...one }) as never) };
  }

  /** The cases of a version, by default the present one. @throws `evaluations.case_set_not_found` */
  async findCases(ctx: RequestContext, id: string, version?: number): Promise<FoundCases> {
    const set = await this.require(ctx, id);
    const cases = await this.sets.findCases(ctx, set.id, version ?? set.version);
    if (cases === undefined) throw evaluationErrors.case_set_not_found({});
    return { set, cases };
  }

  /** @throws `evaluations.case_set_not_found`, `http.validation_failed` */
  async update(ctx: RequestContext, id: string, request: UpdateCaseSetRequest): Promise<CaseSetHead> {
    const given = casesOf(request);
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const set = await this.require(inner, id, true);
      const cases = await this.approved(inner, set, given, request);
      await this.sets.update(inner, set, request.name ?? set.name, cases);
      return toHead(await this.require(inner, id));
    });
  }

  /** @throws `evaluations.case_set_not_found` */
  async remove(ctx: RequestContext, id: string): Promise<void> {
    await this.unitOfWork.run(ctx, async (_manager, inner) => {
      const set = await this.require(inner, id, true);
      await this.sets.remove(inner, set.id);
      await this.audit.append(inner, {
        event: 'evaluation.case_set_deleted',
        subject: `case_set:${set.id}`,
        details: { case_count: set.case_count },
      });
    });
  }

  /** The cases of the next version; undefined when they stay as they are. */
  private async approved(
    ctx: RequestContext,
    set: CaseSetRow,
    given: readonly EvaluationCase[] | undefined,
    { approve = [], approve_all: all = false }: UpdateCaseSetRequest,
  ): Promise<readonly EvaluationCase[] | undefined> {
    if (approve.length === 0 && !all) return given;
    const cases = given ?? (await this.sets.findCases(ctx, set.id, set.version)) ?? [];
    const beyond = approve.findIndex((place) => place >= cases.length);
    if (beyond !== -1)
      throw fieldProblem(
        `/approve/${beyond}`,
        'max',
        `there is no such case; the set has ${cases.length}, counted from 0`,
      );
    const places = new Set(approve);
    return cases.map((one, index) => (all || places.has(index) ? { ...one, approved: true } : one));
  }

  private async require(ctx: RequestContext, id: string, lock = false): Promise<CaseSetRow> {
    const set = isUuid(id) ? await this.sets.find(ctx, id, lock) : undefined;
    if (set === undefined) throw evaluationErrors.case_set_not_found({});
    return set;
  }
}

/** The cases of a request in either form; undefined when it has none. @throws `http.validation_failed` */
function casesOf({ cases, csv }: Pick<CreateCaseSetRequest, 'cases' | 'csv'>): EvaluationCase[] | undefined {
  if (cases !== undefined && csv !== undefined) throw fieldProblem('/csv', 'exclusive', 'send cases or csv, not both');
  if (csv !== undefined) return parseCases(readCsvCases(csv, '/csv'), '/csv');
  return cases === undefined ? undefined : parseCases(cases, '/cases');
}

function fieldProblem(pointer: string, code: string, detail: string): Error {
  return validationFailed([{ pointer, code, detail }]);
}

function toHead(row: CaseSetRow): CaseSetHead {
  return {
    id: row.id,
    name: row.name,
    dataset_ids: [...row.dataset_ids],
    version: row.version,
    case_count: row.case_count,
    unapproved_count: row.unapproved_count,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
