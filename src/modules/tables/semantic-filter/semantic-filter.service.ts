import { Injectable } from '@nestjs/common';
import type { DatasetId, DocumentId } from '#libs/common';
import { authErrors, type Permission, type RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import type { FilterTarget, SemanticFilterRequest, SemanticFilterResponse } from './semantic-filter.dto.js';
import { DocumentJudge } from './document-judge.service.js';
import {
  DEFAULT_THRESHOLD,
  ITEMS_DEFAULT,
  MODEL_CALLS_DEFAULT,
  MODEL_MS,
  READING_MS,
  ROWS_CHARS_MAX,
  TEXT_CHARS_MAX,
} from './filter-limits.js';
import type { CheapResult, Judged } from './filter-subject.js';
import { toResponse, type FilterFacts } from './filter-views.js';
import { ModelJudge } from './model-judge.service.js';
import { ReadingBounds } from './reading-time.js';
import { RowJudge } from './row-judge.service.js';
import { ShownTextsRepository } from './shown-texts.repository.js';
import { UndecidedOrder } from './undecided-order.service.js';

const GENERATIONS_AT_ONCE = 1_000;
/** Maximum number of repetitions after a change of the read content, unless a model was called or the request took longer than this. */
const ROUNDS = 3;
const REPEATED_MS = 2_000;

/** Request for one dataset. */
interface FilterQuestion {
  readonly dataset: DatasetId;
  readonly predicate: string;
  readonly target: FilterTarget;
  readonly threshold: number;
  readonly maxCalls: number;
  /** Time at which calls of models end, by `performance.now()`; undefined: `MODEL_MS` after the first. */
  readonly modelEnds?: number;
  readonly signal: AbortSignal;
}

/** What was judged at one moment. */
interface FilterRound {
  readonly cheap: CheapResult;
  readonly left: readonly Judged[];
  /** Number of judged items that are no longer shown as they were. */
  readonly changed: readonly Judged[];
  readonly calls: number;
  readonly modelEnds: number;
  readonly orderedBy: FilterFacts['orderedBy'];
}

/** Decides for documents, chunks or rows whether a predicate in words holds. */
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
   * Reads only. Metadata, columns and words decide first, then a chat model within its calls. Documents that changed meanwhile are judged once
   * more with their new content; those that change again are left out, with a warning.
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
      const first = await this.judge(ctx, question);
      const hasChanged = first.changed.length > 0;
      const hasAskedModel = first.calls > 0 || first.orderedBy !== 'lexical';
      const isQuick = performance.now() - begun < REPEATED_MS;
      if (hasChanged && !hasAskedModel && round < ROUNDS && isQuick) continue;
      const judged = hasChanged ? await this.judgeChanged(ctx, question, first) : first;
      const { cheap, left, calls, orderedBy } = judged;
      const elapsedMs = Math.round(performance.now() - begun);
      const facts = { limit, modelCalls: calls, maxCalls, orderedBy, changed: judged.changed.length, elapsedMs };
      return toResponse(cheap, left, facts);
    }
  }

  /** Judges documents that have changed by what they show now; the others keep their verdicts, as far as they show the same. */
  private async judgeChanged(ctx: RequestContext, question: FilterQuestion, before: FilterRound): Promise<FilterRound> {
    const documents = new Set(before.changed.map(({ subject }) => subject.documentId));
    const { modelEnds, orderedBy } = before;
    const maxCalls = question.maxCalls - before.calls;
    const again = await this.judge(ctx, { ...question, maxCalls, modelEnds }, documents);
    const all = [...before.left, ...again.left];
    const left = new Set(await this.stillShown(ctx, all));
    const changed = [...again.changed, ...all.filter((each) => !left.has(each))];
    return { cheap: again.cheap, left: [...left], changed, calls: before.calls + again.calls, modelEnds, orderedBy };
  }

  /** `only`: the documents whose items are wanted; all are read, because their words tell what is usual. */
  private async judge(
    ctx: RequestContext,
    question: FilterQuestion,
    only?: ReadonlySet<DocumentId>,
  ): Promise<FilterRound> {
    const { dataset, predicate, target, threshold, maxCalls, signal } = question;
    const cheap = await this.judgeCheaply(ctx, dataset, predicate, target, signal);
    const wanted = cheap.judged.filter(({ subject }) => only === undefined || only.has(subject.documentId));
    const judged = wanted.map((each) => withThreshold(each, threshold));
    const undecided = judged.filter(({ truth }) => truth === undefined);
    const { judged: ordered, by } = await this.order.order(ctx, undecided, { dataset, predicate, signal });
    const modelEnds = question.modelEnds ?? performance.now() + MODEL_MS;
    const asked = await this.models.judge(ctx, ordered, {
      dataset,
      predicate,
      isNegated: cheap.readings.some(({ isNegated }) => isNegated),
      threshold,
      maxCalls,
      ends: modelEnds,
      signal,
    });
    const decided = judged.filter(({ truth }) => truth !== undefined);
    await this.access.requireVisible(ctx, dataset);
    const all = [...decided, ...asked.judged];
    const left = new Set(await this.stillShown(ctx, all));
    const changed = all.filter((each) => !left.has(each));
    return { cheap, left: [...left], changed, calls: asked.calls, modelEnds, orderedBy: by };
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
  throw authErrors.permission_missing({ permission, kind: principal.kind });
}

function withThreshold(judged: Judged, threshold: number): Judged {
  if (judged.truth === undefined || judged.certainty >= threshold) return judged;
  const rationale = `Less certain than the threshold: ${judged.rationale}`;
  return { ...judged, truth: undefined, certainty: 0.5, means: null, reason: 'undecided', rationale };
}
