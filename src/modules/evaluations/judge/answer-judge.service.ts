import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Embedder, ModelFailure, writeText, type ChatModel, type ModelCaller } from '#libs/ai';
import type { DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { JudgeRecord, JudgeSpec } from '../scoring/job-spec.js';
import { JUDGE_METRICS, type JudgeMetricName } from '../scoring/judge-metrics.js';
import { postponed } from '../cases/temporary-failures.js';
import { WritingModel } from '../cases/writing-model.service.js';
import { JUDGE_RUNS, judgeTask } from './judge-prompts.js';
import type { JudgedAnswer, Judgement } from './judgement.js';
import { JudgementsRepository } from './judgements.repository.js';

/** An answer with what its judging needs to know. */
export interface AnswerToJudge extends JudgedAnswer {
  /** The documents of its fragments. */
  readonly documentIds: readonly string[];
  readonly datasetIds: readonly DatasetId[];
}

/** What is wrong with one judgement alone; everything else may pass, or holds for all of them. */
const OF_THE_JUDGEMENT: ReadonlySet<string> = new Set(['malformed', 'content_filter', 'rejected', 'timeout']);

/** Has a chat model judge answers, each metric twice. Judgements of the same texts are stored and not requested again. */
@Injectable()
export class AnswerJudge {
  constructor(
    private readonly models: WritingModel,
    private readonly embedder: Embedder,
    private readonly kept: JudgementsRepository,
  ) {}

  /**
   * Values of the metrics that apply; null in the place of a run that failed. Metrics that say nothing about the answer are left out.
   * @throws TaskPostponed when a model is away or has no budget left, `evaluations.chat_model_gone`
   */
  async judge(
    ctx: RequestContext,
    { model: id, prompt_version: version }: JudgeSpec,
    names: readonly JudgeMetricName[],
    judged: AnswerToJudge,
    signal: AbortSignal,
  ): Promise<JudgeRecord> {
    const model = this.models.find(id);
    const record: Record<string, readonly (number | null)[]> = {};
    for (const name of names) {
      if (!applies(name, judged)) continue;
      const runs: (number | null)[] = [];
      for (let run = 1; run <= JUDGE_RUNS; run += 1) {
        const key = keyOf([
          version,
          id,
          this.embedder.descriptor.space,
          name,
          run,
          judged.question,
          judged.answer,
          judged.expected,
          judged.fragments,
        ]);
        runs.push(await this.valueOf(ctx, model, name, judged, { run, key }, signal));
      }
      record[name] = runs;
    }
    return record;
  }

  private async valueOf(
    ctx: RequestContext,
    model: ChatModel,
    name: JudgeMetricName,
    judged: AnswerToJudge,
    { run, key }: { readonly run: number; readonly key: Buffer },
    signal: AbortSignal,
  ): Promise<number | null> {
    const known = await this.kept.find(ctx, key);
    if (known !== undefined) return known;
    const caller: ModelCaller = { tenantId: ctx.tenantId, datasetIds: judged.datasetIds, purpose: 'evaluation' };
    try {
      const judgement = await writeText(model, judgeTask(name, judged, run, model.descriptor), { signal, caller });
      const value = await this.resolve(judgement, judged.question, caller, signal);
      await this.kept.keep(ctx, key, value, judged.documentIds);
      return value;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ModelFailure && OF_THE_JUDGEMENT.has(error.kind)) return null;
      throw postponed(error);
    }
  }

  /** Questions are worth their mean nearness to the one that was asked. */
  private async resolve(
    judgement: Judgement,
    question: string,
    caller: ModelCaller,
    signal: AbortSignal,
  ): Promise<number> {
    if (judgement.kind === 'value') return judgement.value;
    const { vectors } = await this.embedder.embed([question, ...judgement.questions], 'query', { signal, caller });
    const [asked, ...others] = vectors;
    const cosines = others.map((vector) => vector.reduce((sum, value, at) => sum + value * asked![at]!, 0));
    const mean = cosines.reduce((sum, value) => sum + value, 0) / cosines.length;
    return Math.min(1, Math.max(0, mean));
  }
}

function applies(name: JudgeMetricName, { expected, fragments }: JudgedAnswer): boolean {
  const { needsExpected, needsFragments } = JUDGE_METRICS[name];
  return (!needsExpected || expected !== null) && (!needsFragments || fragments.length > 0);
}

function keyOf(parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
