import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ChatModel, writeText, type ChatModelDescriptor, type ModelCaller } from '#libs/ai';
import { Cache } from '#libs/cache';
import { catalogueErrorOf, SingleFlight, type DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { DEADLINE_MS } from '../request/search-deadline.js';
import type { ExpansionMethod } from '../request/search-options.js';
import type { StepTimer } from '../request/step-timer.js';
import type { ExpandedQuery } from '../expansion/expanded-query.js';
import { EXPANSION_VERSION, passageTask, phrasingsTask } from '../expansion/expansion-prompts.js';

/** The question, and the search that it is expanded for. */
export interface QuestionToExpand {
  readonly query: string;
  readonly datasets: readonly { readonly id: DatasetId }[];
  readonly signal: AbortSignal;
  readonly timer: StepTimer;
}

/** Time for which the same question gives the same texts. */
const KEPT_MS = 24 * 3_600_000;

/**
 * Has the chat model write further texts to search for. They are cached for the tenant, since they depend on the question alone. Equal questions
 * at the same moment call the model once in this process.
 */
@Injectable()
export class QueryExpander {
  private readonly flights = new SingleFlight<readonly string[]>();

  constructor(
    private readonly model: ChatModel,
    private readonly cache: Cache,
  ) {}

  get descriptor(): ChatModelDescriptor {
    return this.model.descriptor;
  }

  /** Never throws for failures of the model, its provider or a budget: then only the question itself is searched for. */
  async expand(ctx: RequestContext, method: ExpansionMethod, plan: QuestionToExpand): Promise<ExpandedQuery> {
    // What searches then takes its time, too.
    const limit = AbortSignal.timeout(DEADLINE_MS / 2);
    const signal = AbortSignal.any([plan.signal, limit]);
    try {
      return {
        texts: await plan.timer.measure('expansion', () => this.texts(ctx, method, plan, signal)),
        failure: null,
      };
    } catch (error) {
      plan.signal.throwIfAborted();
      const failure = limit.aborted ? 'ai.provider_unavailable' : catalogueErrorOf(error)?.code;
      if (failure === undefined) throw error;
      return { texts: [], failure };
    }
  }

  private async texts(
    ctx: RequestContext,
    method: ExpansionMethod,
    plan: QuestionToExpand,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const key = this.keyOf(ctx, method, plan.query);
    return this.flights.run(key, (shared) => this.findOrAsk(ctx, method, { ...plan, signal: shared }, key), signal);
  }

  /** Looks first: who asked before may just have ended. */
  private async findOrAsk(
    ctx: RequestContext,
    method: ExpansionMethod,
    plan: QuestionToExpand,
    key: string,
  ): Promise<readonly string[]> {
    const known = await this.find(key);
    if (known !== undefined) return known;
    const datasetIds = plan.datasets.map(({ id }) => id);
    const caller: ModelCaller = { tenantId: ctx.tenantId, datasetIds, purpose: 'query_expansion' };
    const task = method === 'hyde' ? passageTask(plan.query) : phrasingsTask(plan.query);
    const texts = await writeText(this.model, task, { signal: plan.signal, caller });
    // Another process that asked the same meanwhile was first: both are to have the same answer.
    const meanwhile = await this.find(key);
    if (meanwhile !== undefined) return meanwhile;
    await this.cache.set(key, JSON.stringify(texts), KEPT_MS).catch(() => undefined);
    return texts;
  }

  /** A cache that is away is an empty one. */
  private async find(key: string): Promise<readonly string[] | undefined> {
    const kept = await this.cache.get(key).catch(() => null);
    return kept === null ? undefined : (JSON.parse(kept) as string[]);
  }

  private keyOf({ tenantId }: RequestContext, method: ExpansionMethod, query: string): string {
    const { provider, model } = this.model.descriptor;
    const parts = JSON.stringify([EXPANSION_VERSION, method, provider, model, query]);
    return `query_expansion:${tenantId}:${createHash('sha256').update(parts).digest('hex')}`;
  }
}
