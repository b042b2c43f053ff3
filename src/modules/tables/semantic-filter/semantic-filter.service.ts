import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import { authErrors, type Permission, type RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import type { FilterTarget, SemanticFilterRequest, SemanticFilterResponse } from '../dto/semantic-filter.dto.js';
import { DocumentJudge } from './document-judge.js';
import {
  DEFAULT_THRESHOLD,
  ITEMS_DEFAULT,
  MODEL_CALLS_DEFAULT,
  READING_MS,
  ROWS_CHARS_MAX,
  TEXT_CHARS_MAX,
} from './filter-limits.js';
import type { CheapResult, Judged } from './filter-subject.js';
import { toResponse } from './filter-views.js';
import { ModelJudge } from './model-judge.js';
import { ReadingBounds } from './reading-time.js';
import { RowJudge } from './row-judge.js';
import { ShownTextsRepository } from './shown-texts.repository.js';
import { UndecidedOrder } from './undecided-order.js';

const GENERATIONS_AT_ONCE = 1_000;

/** Says of documents, chunks or rows whether a predicate in words holds. */
@Injectable()
export class SemanticFilterService {
  constructor(
    private readonly access: DatasetAccess,
    private readonly documents: DocumentJudge,
    private readonly rows: RowJudge,
    private readonly order: UndecidedOrder,
    private readonly models: ModelJudge,
    private readonly shown: ShownTextsRepository,
  ) {}

  /**
   * Reads only. Facts and words decide first, then a chat model within its calls; what is not shown any more at the end is left out.
   * @throws `datasets.not_found`, `auth.permission_missing` for rows, `sql.busy`.
   */
  async filter(
    ctx: RequestContext,
    id: string,
    request: SemanticFilterRequest,
    signal: AbortSignal,
  ): Promise<SemanticFilterResponse> {
    const begun = performance.now();
    const { predicate, target = 'documents', limit = ITEMS_DEFAULT } = request;
    const { threshold = DEFAULT_THRESHOLD, max_model_calls: maxCalls = MODEL_CALLS_DEFAULT } = request;
    const dataset = (await this.access.requireVisible(ctx, id)).id;
    if (target === 'rows') requirePermission(ctx, 'tables:query');
    const cheap = await this.judgeCheaply(ctx, dataset, predicate, target, signal);
    const judged = cheap.judged.map((each) => withThreshold(each, threshold));
    const undecided = judged.filter(({ truth }) => truth === undefined);
    const { judged: ordered, by } = await this.order.order(ctx, undecided, { dataset, predicate, signal });
    const asked = await this.models.judge(ctx, ordered, {
      dataset,
      predicate,
      isNegated: cheap.readings.some(({ isNegated }) => isNegated),
      threshold,
      maxCalls,
      signal,
    });
    const decided = judged.filter(({ truth }) => truth !== undefined);
    await this.access.requireVisible(ctx, id);
    const all = [...decided, ...asked.judged];
    const left = await this.stillShown(ctx, all);
    return toResponse(cheap, left, {
      limit,
      modelCalls: asked.calls,
      maxCalls,
      orderedBy: by,
      changed: all.length - left.length,
      elapsedMs: Math.round(performance.now() - begun),
    });
  }

  private judgeCheaply(
    ctx: RequestContext,
    dataset: DatasetId,
    predicate: string,
    target: FilterTarget,
    signal: AbortSignal,
  ): Promise<CheapResult> {
    const chars = target === 'rows' ? ROWS_CHARS_MAX : TEXT_CHARS_MAX;
    const question = { dataset, predicate, signal, bounds: new ReadingBounds(READING_MS, chars) };
    return target === 'rows' ? this.rows.judge(ctx, question) : this.documents.judge(ctx, { ...question, target });
  }

  private async stillShown(ctx: RequestContext, judged: readonly Judged[]): Promise<Judged[]> {
    const ids = [...new Set(judged.map(({ subject }) => subject.documentId))];
    const generations = new Map<string, string>();
    for (let from = 0; from < ids.length; from += GENERATIONS_AT_ONCE) {
      const page = await this.shown.generationsOf(ctx, ids.slice(from, from + GENERATIONS_AT_ONCE));
      for (const [document, generation] of page) generations.set(document, generation);
    }
    return judged.filter(({ subject }) => generations.get(subject.documentId) === subject.generation);
  }
}

function requirePermission({ principal }: RequestContext, permission: Permission): void {
  if (principal.kind === 'system' || principal.permissions.has(permission)) return;
  throw authErrors.permission_missing({ permission });
}

function withThreshold(judged: Judged, threshold: number): Judged {
  if (judged.truth === undefined || judged.certainty >= threshold) return judged;
  const rationale = `Less certain than the threshold: ${judged.rationale}`;
  return { ...judged, truth: undefined, certainty: 0.5, means: null, reason: 'undecided', rationale };
}
