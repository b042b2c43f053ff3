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
} from '../records/case-set.dto.js';
import { evaluationErrors } from '../evaluations.errors.js';
import { CaseSetsRepository, type CaseSetRow } from '../records/case-sets.repository.js';
import { readCsvCases } from '../cases/csv-cases.js';
import type { PlacedCase } from '../records/case-texts.repository.js';
import { MAX_CASES, type EvaluationCase } from '../cases/evaluation-case.js';
import { SettledCaseSets } from '../generation/case-generations.service.js';
import { isGenerating } from '../cases/generation-state.js';
import { toCaseSetHead } from '../records/case-set-views.js';
import { parseCases, queryKey } from '../cases/parse-cases.js';

/** A set of cases with the cases of one version. */
export interface FoundCases {
  readonly set: CaseSetRow;
  readonly cases: readonly PlacedCase[];
}

/** Sets of cases with their versions, shown to callers that see all their datasets. */
@Injectable()
export class CaseSetsService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly sets: CaseSetsRepository,
    private readonly access: DatasetAccess,
    private readonly audit: AuditLog,
    private readonly settled: SettledCaseSets,
  ) {}

  /** @throws `datasets.not_found`, `http.validation_failed` */
  async create(ctx: RequestContext, request: CreateCaseSetRequest): Promise<CaseSetHead> {
    const cases = casesOf(request);
    if (cases === undefined) throw fieldProblem('/cases', 'required', 'send cases or csv');
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const datasets = await this.access.requireAllVisible(inner, request.dataset_ids);
      const ids = datasets.map(({ id }) => id);
      const { id, closed } = await this.sets.insert(inner, request.name, ids, cases);
      refuseClosed(closed, cases);
      await this.audit.append(inner, {
        event: 'evaluation.case_set_created',
        subject: `case_set:${id}`,
        details: { case_count: cases.length, dataset_ids: ids },
      });
      return toCaseSetHead(await this.require(inner, id));
    });
  }

  async list(ctx: RequestContext, query: ListCaseSetsQuery): Promise<CaseSetPage> {
    const { dataset_id: datasetId, order_by: orderBy, skip, limit } = query;
    const filter = { orderBy, skip, limit, ...(datasetId === undefined ? {} : { datasetId }) };
    const page = await this.sets.list(ctx, filter);
    return { ...page, items: page.items.map(toCaseSetHead) };
  }

  /** @throws `evaluations.case_set_not_found` */
  async read(ctx: RequestContext, id: string, version?: number): Promise<CaseSet> {
    const { set, cases } = await this.findPlaced(ctx, id, version);
    const views = cases.map(({ place, one, outdated = false }) => ({
      ...one,
      source_document_id: one.source_document_id ?? null,
      place,
      outdated,
    }));
    return { ...toCaseSetHead(set), version: version ?? set.version, cases: views as never };
  }

  /** The cases of the present version. @throws `evaluations.case_set_not_found` */
  async findCases(ctx: RequestContext, id: string): Promise<FoundCases> {
    const { set, cases } = await this.findPlaced(ctx, id, undefined);
    return { set, cases };
  }

  private async findPlaced(
    ctx: RequestContext,
    id: string,
    version: number | undefined,
  ): Promise<{ readonly set: CaseSetRow; readonly cases: readonly PlacedCase[] }> {
    const found = await this.settled.settle(ctx, await this.require(ctx, id));
    const set = (await this.sets.refreshEvidence(ctx, found.id)) ? await this.require(ctx, id) : found;
    const cases = await this.sets.findCases(ctx, set.id, version ?? set.version);
    if (cases === undefined) throw evaluationErrors.case_set_not_found({});
    return { set, cases };
  }

  /** @throws `evaluations.case_set_not_found`, `http.validation_failed` */
  async update(ctx: RequestContext, id: string, request: UpdateCaseSetRequest): Promise<CaseSetHead> {
    const given = casesOf(request);
    const added = addedCasesOf(request);
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      const set = await this.settled.settle(inner, await this.require(inner, id, true));
      const isChanged = given !== undefined || added !== undefined;
      const former = isChanged ? ((await this.sets.findCases(inner, set.id, set.version)) ?? []) : [];
      const wanted = added === undefined ? given : withAdded(former, added);
      const cases = await this.approved(inner, set, wanted && inheritSources(wanted, former), request);
      if (cases !== undefined && isGenerating(set.generation)) throw evaluationErrors.generation_running({});
      refuseClosed(await this.sets.update(inner, set, request.name ?? set.name, cases), given);
      await this.sets.refreshEvidence(inner, set.id);
      return toCaseSetHead(await this.require(inner, id));
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
        details: { case_count: set.case_count, dataset_ids: [...set.dataset_ids] },
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
    const kept = given?.map((one, place) => ({ place, one })) ?? (await this.sets.findCases(ctx, set.id, set.version));
    const cases = kept ?? [];
    const known = new Set(cases.map(({ place }) => place));
    const beyond = approve.findIndex((place) => !known.has(place));
    if (beyond !== -1)
      throw fieldProblem(
        `/approve/${beyond}`,
        'max',
        `there is no such case; the set has ${cases.length}, whose "place" counts from 0`,
      );
    const places = new Set(approve);
    return cases.map(({ place, one }) => (all || places.has(place) ? { ...one, approved: true } : one));
  }

  private async require(ctx: RequestContext, id: string, lock = false): Promise<CaseSetRow> {
    const set = isUuid(id) ? await this.sets.find(ctx, id, lock) : undefined;
    if (set === undefined) throw evaluationErrors.case_set_not_found({});
    return set;
  }
}

/** What a request adds to the cases of a set; undefined when it adds nothing. @throws `http.validation_failed` */
function addedCasesOf({ cases, csv, add }: UpdateCaseSetRequest): EvaluationCase[] | undefined {
  if (add === undefined) return undefined;
  if (cases !== undefined || csv !== undefined)
    throw fieldProblem('/add', 'exclusive', 'send add, or all cases of the new version, not both');
  return parseCases(add, '/add');
}

/** @throws `http.validation_failed` for a question that the set has already, and for too many cases */
function withAdded(former: readonly PlacedCase[], added: readonly EvaluationCase[]): EvaluationCase[] {
  const known = new Set(former.map(({ one }) => queryKey(one.query)));
  const repeated = added.findIndex(({ query }) => known.has(queryKey(query)));
  if (repeated !== -1)
    throw fieldProblem(`/add/${repeated}/query`, 'unique', 'is already the query of a case of the set');
  if (former.length + added.length > MAX_CASES)
    throw fieldProblem('/add', 'array_max_size', `a set holds at most ${MAX_CASES} cases; it has ${former.length}`);
  return [...former.map(({ one }) => one), ...added];
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

/** A case that repeats one generated from a document counts as generated from it too, also where the caller omits that. */
function inheritSources(given: readonly EvaluationCase[], former: readonly PlacedCase[]): EvaluationCase[] {
  const sources = new Map<string, string>();
  for (const { one } of former)
    if (one.source_document_id !== undefined)
      for (const text of textsOf(one)) sources.set(text, one.source_document_id);
  return given.map((one) => {
    const source = one.source_document_id ?? textsOf(one).flatMap((text) => sources.get(text) ?? [])[0];
    return source === undefined ? one : { ...one, source_document_id: source };
  });
}

function textsOf({ query, relevant }: EvaluationCase): string[] {
  return [query, ...relevant.flatMap(({ text }) => (text === undefined ? [] : [text]))].map(queryKey);
}

/** Cases that the caller sends name documents that can be seen; of those that the set had, some may have gone meanwhile. */
function refuseClosed(places: readonly number[], given: readonly EvaluationCase[] | undefined): void {
  const [place] = places;
  if (place === undefined || given === undefined) return;
  const detail = 'is not a document of the datasets of the set, or is deleted or in quarantine: leave the case out';
  throw fieldProblem(`/cases/${place}/source_document_id`, 'not_found', detail);
}
