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
import { toResponse, type FilterFacts } from './filter-views.js';
import { ModelJudge } from './model-judge.js';
import { ReadingBounds } from './reading-time.js';
import { RowJudge } from './row-judge.js';
import { ShownTextsRepository } from './shown-texts.repository.js';
import { UndecidedOrder } from './undecided-order.js';

const GENERATIONS_AT_ONCE = 1_000;
/** What met a change of what it read is done again so often at most, unless it asked a model or took longer than this. */
const ROUNDS = 3;
const REPEATED_MS = 2_000;

/** What is asked of one dataset. */
interface FilterQuestion {
  readonly dataset: DatasetId;
  readonly predicate: string;
  readonly target: FilterTarget;
  readonly threshold: number;
  readonly maxCalls: number;
  readonly signal: AbortSignal;
}

/** What was judged at one moment. */
interface FilterRound {
  readonly cheap: CheapResult;
  readonly left: readonly Judged[];
  /** Items that were judged and are not shown any more as they were. */
  readonly changed: number;
  readonly calls: number;
  readonly orderedBy: FilterFacts['orderedBy'];
}

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
    const question = { dataset, predicate, target, threshold, maxCalls, signal };
    for (let round = 1; ; round += 1) {
      const { cheap, left, changed, calls, orderedBy } = await this.judge(ctx, question);
      const elapsedMs = Math.round(performance.now() - begun);
      const hasAskedModel = calls > 0 || orderedBy !== 'lexical';
      if (changed > 0 && !hasAskedModel && round < ROUNDS && elapsedMs < REPEATED_MS) continue;
      return toResponse(cheap, left, { limit, modelCalls: calls, maxCalls, orderedBy, changed, elapsedMs });
    }
  }

  private async judge(ctx: RequestContext, question: FilterQuestion): Promise<FilterRound> {
    const { dataset, predicate, target, threshold, maxCalls, signal } = question;
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
    await this.access.requireVisible(ctx, dataset);
    const all = [...decided, ...asked.judged];
    const left = await this.stillShown(ctx, all);
    return { cheap, left, changed: all.length - left.length, calls: asked.calls, orderedBy: by };
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
