import { Injectable } from '@nestjs/common';
import { ModelFailure, writeText, type ModelCaller } from '#libs/ai';
import type { DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { RetrievalService } from '../../retrieval/index.js';
import { candidatesByRules, isCovered, type CaseCandidate } from './case-candidates.js';
import { postponed } from '../cases/temporary-failures.js';
import { WritingModel } from '../cases/writing-model.service.js';
import type { GenerationState } from '../cases/generation-state.js';
import type { Passage } from './passages.repository.js';
import { questionTask } from './question-prompt.js';

const SEARCHED = 10;
/** Errors that concern one passage alone; another passage may give questions. */
const OF_THE_PASSAGE: ReadonlySet<string> = new Set(['malformed', 'content_filter', 'rejected']);

/** Makes questions that passages answer, and checks whether a dataset answers them. */
@Injectable()
export class CaseSource {
  constructor(
    private readonly models: WritingModel,
    private readonly retrieval: RetrievalService,
  ) {}

  /** @throws TaskPostponed when the model is away, or has no budget left */
  async candidatesOf(
    ctx: RequestContext,
    { method, model }: Pick<GenerationState, 'method' | 'model'>,
    { documentId, text }: Passage,
    {
      datasetIds,
      most,
      signal,
    }: { readonly datasetIds: readonly DatasetId[]; readonly most: number; readonly signal: AbortSignal },
  ): Promise<readonly CaseCandidate[]> {
    if (method === 'rules' || model === null) return candidatesByRules(documentId, text);
    const caller: ModelCaller = { tenantId: ctx.tenantId, datasetIds, purpose: 'evaluation' };
    try {
      return await writeText(this.models.find(model), questionTask(documentId, text, most), { signal, caller });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ModelFailure && OF_THE_PASSAGE.has(error.kind)) return [];
      throw postponed(error);
    }
  }

  /** Whether the content of a dataset may answer the question. @throws TaskPostponed when a dependency is away */
  async isAnswered(
    ctx: RequestContext,
    datasetId: string,
    candidate: CaseCandidate,
    signal: AbortSignal,
  ): Promise<boolean> {
    const search = {
      query: candidate.question,
      dataset_ids: [datasetId],
      search_method: 'keyword',
      top_k: SEARCHED,
      include: ['text'],
    } as const;
    try {
      const { results } = await this.retrieval.retrieve(ctx, search as never, { signal, purpose: 'evaluation' });
      return results.some(({ text }) => isCovered(candidate, text));
    } catch (error) {
      signal.throwIfAborted();
      throw postponed(error);
    }
  }
}
