import { Injectable } from '@nestjs/common';
import { catalogueErrorOf, delay, LowPriority, type CatalogueError, type DatasetId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { stripMarkers } from '#libs/answering';
import { ChatService, type ChatCompletion } from '../../chat/index.js';
import type { EvaluationCase } from '../cases/evaluation-case.js';
import { isTemporary, postponement } from '../cases/temporary-failures.js';
import { ANSWER_METRICS, type MeasuredAnswer } from '../scoring/answer-metrics.js';
import { AnswerJudge } from '../judge/answer-judge.service.js';
import { valueOfRuns } from '../scoring/judge-agreement.js';
import { isAnswerMetric, isJudgeMetric } from '../scoring/metric-catalogue.js';
import type { AnswerRecord, JobSpec, JudgeRecord, Variant, VariantChat } from '../scoring/job-spec.js';

/** Options of the chat of a variant and of its search. */
export interface AskedVariant extends Pick<Variant, 'retrieval'> {
  readonly chat: VariantChat;
}

/** Outcome of a chat about a case, with its metrics. */
export interface AnsweredCase {
  readonly answer: AnswerRecord;
  readonly metrics: Readonly<Record<string, number | null>>;
}

const TRIES = 3;
const PAUSE_MS = 500;
/** Errors that concern one question alone; another question may be answered. Any other refusal applies to the whole evaluation. */
const OF_THE_CASE: ReadonlySet<string> = new Set([
  'chat.question_too_long',
  'chat.fragments_too_long',
  'chat.first_token_late',
  'ai.provider_rejected',
  'retrieval.timeout',
]);

/** Asks a case as a chat, with lower priority than chats of people, and measures the answer. Stores no text of it. */
@Injectable()
export class CaseAnswers {
  constructor(
    private readonly chat: ChatService,
    private readonly judge: AnswerJudge,
    private readonly lowPriority: LowPriority,
  ) {}

  /** @throws TaskPostponed when a model or another dependency is down or has no budget left */
  async run(
    ctx: RequestContext,
    { spec, dataset_ids: datasetIds }: { readonly spec: JobSpec; readonly dataset_ids: readonly string[] },
    variant: AskedVariant,
    one: EvaluationCase,
    signal: AbortSignal,
  ): Promise<AnsweredCase> {
    const began = performance.now();
    const asked = await this.ask(ctx, requestOf(datasetIds, variant, one), signal);
    const latency_ms = performance.now() - began;
    if ('errorCode' in asked)
      return { answer: { ...NOT_ANSWERED, latency_ms, error_code: asked.errorCode }, metrics: {} };
    await this.lowPriority.pause(latency_ms, signal);
    const measured = toMeasured(asked);
    const metrics: Record<string, number | null> = {};
    for (const name of spec.metrics)
      if (isAnswerMetric(name)) metrics[name] = ANSWER_METRICS[name].compute(one, measured);
    const judged = await this.judgeAnswer(ctx, spec, datasetIds, one, asked, signal);
    for (const name of spec.metrics) if (isJudgeMetric(name)) metrics[name] = valueOfRuns(judged?.[name]);
    return { answer: { ...recordOf(asked, measured, latency_ms), ...(judged && { judged }) }, metrics };
  }

  /** Undefined where no metric needs a judge, and for refusals, where there is nothing to judge. */
  private async judgeAnswer(
    ctx: RequestContext,
    { judge, metrics }: JobSpec,
    datasetIds: readonly string[],
    { query, expected_answer: expected, answerable }: EvaluationCase,
    { choices, refusal, sources }: ChatCompletion,
    signal: AbortSignal,
  ): Promise<JudgeRecord | undefined> {
    if (judge === undefined || refusal !== null) return undefined;
    const judged = {
      question: query,
      answer: stripMarkers(choices[0]!.message.content),
      fragments: sources.map(({ text }) => text),
      expected: answerable ? expected : null,
      documentIds: [...new Set(sources.map(({ document_id: id }) => id))],
      datasetIds: datasetIds as readonly DatasetId[],
    };
    return this.judge.judge(ctx, judge, metrics.filter(isJudgeMetric), judged, signal);
  }

  private async ask(
    ctx: RequestContext,
    request: Parameters<ChatService['complete']>[1],
    signal: AbortSignal,
  ): Promise<ChatCompletion | { readonly errorCode: string }> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.chat.complete(ctx, request, signal, { purpose: 'evaluation' });
      } catch (error) {
        signal.throwIfAborted();
        const known = catalogueErrorOf(error);
        if (known === undefined) throw error;
        if (!mayPass(known) && OF_THE_CASE.has(known.code)) return { errorCode: known.code };
        if (!mayPass(known)) throw error;
        if (tries < TRIES) await delay(PAUSE_MS * tries, signal);
        else if (OF_THE_CASE.has(known.code)) return { errorCode: known.code };
        else throw postponement(known);
      }
    }
  }
}

const NOT_ANSWERED = { model: null, refusal: null, characters: 0, citations: [] };

/** Whether the same question may be answered later. */
function mayPass(error: CatalogueError): boolean {
  return isTemporary(error) && error.code !== 'ai.provider_rejected';
}

function requestOf(
  datasetIds: readonly string[],
  { retrieval, chat }: AskedVariant,
  { query }: EvaluationCase,
): Parameters<ChatService['complete']>[1] {
  const { top_k: _resultsOfTheSearch, include: _partsOfResults, ...search } = retrieval;
  const { sources, ...options } = chat;
  return {
    ...options,
    messages: [{ role: 'user', content: query }],
    dataset_ids: [...datasetIds],
    retrieval: { ...search, ...(sources === null ? {} : { top_k: sources }) },
  };
}

function toMeasured({ choices, refusal, citations }: ChatCompletion): MeasuredAnswer {
  return {
    text: choices[0]!.message.content,
    isRefusal: refusal !== null,
    citations: citations.map((one) => ({
      answerStart: one.answer_start,
      answerEnd: one.answer_end,
      citedText: one.cited_text,
      supportScore: one.support_score,
      isExact: one.verified,
    })),
  };
}

function recordOf(
  { model, refusal, citations }: ChatCompletion,
  { text }: MeasuredAnswer,
  latency_ms: number,
): AnswerRecord {
  return {
    model,
    refusal: refusal?.code ?? null,
    characters: text.length,
    citations: citations.map((one) => ({
      document_id: one.document_id,
      chunk_id: one.chunk_id,
      source_char_start: one.source_char_start,
      source_char_end: one.source_char_end,
      support_score: one.support_score,
      verified: one.verified,
    })),
    latency_ms,
    error_code: null,
  };
}
