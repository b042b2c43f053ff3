import { Injectable } from '@nestjs/common';
import { ChatModel, writeText, type ModelCaller } from '#libs/ai';
import { catalogueErrorOf, type DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { UnknownReason } from './semantic-filter.dto.js';
import type { Judged } from './filter-subject.js';
import { SubjectTexts } from './subject-texts.service.js';
import { verdictTask, type WrittenVerdict } from './verdict-prompt.js';

/** Certainty of a verdict that a model proves; the same for all models, since their own statements of certainty are not comparable. */
export const MODEL_CERTAINTY = 0.9;
const TEXT_CHARS = 12_000;
/** Number of consecutive failures after which a model counts as unavailable. */
const FAILURES_MOST = 3;
const TENANT_BUDGET = 429;

/** Predicate and limits of the calls of a model. */
export interface ModelQuestion {
  readonly dataset: DatasetId;
  readonly predicate: string;
  /** Whether a verdict may rest on what a text does not say. */
  readonly isNegated: boolean;
  readonly threshold: number;
  readonly maxCalls: number;
  /** When it ends, on the clock of `performance`. */
  readonly ends: number;
  readonly signal: AbortSignal;
}

export interface ModelVerdicts {
  /** In the order in which they were asked for. */
  readonly judged: readonly Judged[];
  readonly calls: number;
}

/** Asks the chat model about undecided items, one after the other, within a number of calls and a time. */
@Injectable()
export class ModelJudge {
  constructor(
    private readonly model: ChatModel,
    private readonly texts: SubjectTexts,
  ) {}

  /** Never throws for failures of the model or a budget: undecided items are unknown, with the reason. */
  async judge(ctx: RequestContext, undecided: readonly Judged[], question: ModelQuestion): Promise<ModelVerdicts> {
    const because = (reason: UnknownReason): ModelVerdicts => ({ judged: undecided.map(withReason(reason)), calls: 0 });
    if (this.model.descriptor.kind !== 'generative') return because('no_model');
    if (question.threshold > MODEL_CERTAINTY) return because('undecided');
    const judged: Judged[] = [];
    let [calls, failures] = [0, 0];
    let stopped: UnknownReason | undefined;
    for (const each of undecided) {
      question.signal.throwIfAborted();
      const left = question.ends - performance.now();
      if (stopped === undefined && (calls >= question.maxCalls || left <= 0)) stopped = 'call_limit';
      if (stopped !== undefined) {
        judged.push(withReason(stopped)(each));
        continue;
      }
      const outcome = await this.ask(ctx, each, question, left);
      calls += outcome.isCalled ? 1 : 0;
      failures = outcome.failure === 'model_failed' ? failures + 1 : 0;
      if (outcome.failure === 'budget' || outcome.failure === 'call_limit') stopped = outcome.failure;
      else if (failures >= FAILURES_MOST) stopped = 'model_failed';
      judged.push(outcome.judged);
    }
    return { judged, calls };
  }

  private async ask(
    ctx: RequestContext,
    judged: Judged,
    question: ModelQuestion,
    left: number,
  ): Promise<{ judged: Judged; isCalled: boolean; failure?: UnknownReason }> {
    const { predicate, dataset, signal: caller } = question;
    const text = await this.texts.read(ctx, judged.subject, TEXT_CHARS);
    if (text === undefined) return { judged: withReason('not_read')(judged), isCalled: false };
    const shown = { title: judged.subject.documentName, facts: judged.subject.metadata, text: text.text };
    const limit = AbortSignal.timeout(Math.ceil(left));
    const pays: ModelCaller = { tenantId: ctx.tenantId, datasetIds: [dataset], purpose: 'semantic_filter' };
    let written: WrittenVerdict;
    try {
      const signal = AbortSignal.any([caller, limit]);
      written = await writeText(this.model, verdictTask(predicate, shown), { signal, caller: pays });
    } catch (error) {
      caller.throwIfAborted();
      const failure = limit.aborted ? 'call_limit' : failureOf(error);
      return { judged: withReason(failure)(judged), isCalled: failure !== 'budget', failure };
    }
    const proof = text.find(written.quotation);
    const isProved = proof !== undefined || isQuotedFrom(`${shown.title}\n${shown.facts}`, written.quotation);
    const truth = trusted(written, { isProved, isCut: text.isCut, isNegated: question.isNegated });
    if (truth === undefined) {
      const rationale = written.truth === undefined ? written.reason : `Not proved by the text: ${written.reason}`;
      return { judged: { ...withReason('undecided')(judged), rationale }, isCalled: true };
    }
    const found = { ...judged, truth, certainty: MODEL_CERTAINTY, means: 'model' as const, reason: null };
    return {
      judged: { ...found, facts: [], texts: proof === undefined ? [] : [proof], rationale: written.reason },
      isCalled: true,
    };
  }
}

/** What a model says counts where its proof is in the text; a text that was cut may hold in its rest what it is said not to. */
function trusted(
  { truth, quotation }: WrittenVerdict,
  { isProved, isCut, isNegated }: { isProved: boolean; isCut: boolean; isNegated: boolean },
): boolean | undefined {
  if (truth === undefined) return undefined;
  if (quotation !== '') return isProved ? truth : undefined;
  if (isCut) return undefined;
  return truth && !isNegated ? undefined : truth;
}

/** Programming errors are thrown; failures of the model or its provider leave the verdict unknown. */
function failureOf(error: unknown): UnknownReason {
  const known = catalogueErrorOf(error);
  if (known === undefined) throw error;
  return known.status === TENANT_BUDGET ? 'budget' : 'model_failed';
}

function isQuotedFrom(text: string, quotation: string): boolean {
  const plain = (one: string): string => one.toLowerCase().replace(/\s+/g, ' ');
  return quotation !== '' && plain(text).includes(plain(quotation));
}

function withReason(reason: UnknownReason): (judged: Judged) => Judged {
  return (judged) => ({ ...judged, truth: undefined, certainty: 0.5, means: null, reason });
}
