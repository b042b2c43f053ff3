import { Injectable } from '@nestjs/common';
import type { DatasetId } from '#libs/common';
import { calibrate } from '../question-rules/calibration.js';
import { frameInEnglish } from '../question-rules/languages/frame-in-english.js';
import type { RequestContext } from '#libs/tenancy';
import { DatasetAccess } from '../../datasets/index.js';
import { DocumentTablesRepository, type ShownTable } from '../catalogue/document-tables.repository.js';
import type { QuestionMethod } from '../questions/query-natural-language.dto.js';
import { answerByModel, warningOf } from '../questions/answer-by-model.js';
import { fitSchema } from '../questions/fit-schema.js';
import { ModelStatements } from '../questions/model-statements.service.js';
import { byRules, STATEMENT_REFUSED, type QuestionAnswer } from '../questions/question-answer.js';
import { RuleReadings } from '../questions/rule-readings.service.js';
import { PROMPT_VERSION } from '../questions/statement-prompt.js';
import { tableErrors } from '../tables.errors.js';

/** A question whose tables changed while it was answered is answered again, so often at most. */
const ROUNDS = 3;
/** Answers of the rules that fit as well as this ask no model. Chosen on development tables: from here on they are hardly ever wrong. */
const SURE = calibrate(0.8);

/** A question, and how it is to be answered. */
export interface TableQuestion {
  readonly question: string;
  readonly dryRun: boolean;
  /** `rules` unless it says otherwise: anyone who asks from inside pays for no model by accident. */
  readonly method?: QuestionMethod;
}

/** A question about one dataset at one moment. */
interface Round {
  readonly dataset: DatasetId;
  readonly request: TableQuestion;
  readonly shown: readonly ShownTable[];
  readonly method: QuestionMethod;
  readonly signal: AbortSignal | undefined;
}

/**
 * Answers questions by statements that rules or a chat model make of them; each goes through the guard as a caller's own does, no matter who
 * wrote it. Rules come first: they cost nothing and say the same each time.
 */
@Injectable()
export class NaturalLanguageQueriesService {
  constructor(
    private readonly access: DatasetAccess,
    private readonly tables: DocumentTablesRepository,
    private readonly rules: RuleReadings,
    private readonly models: ModelStatements,
  ) {}

  /** @throws `datasets.not_found`, `tables.chat_model_needed`, `sql.timeout`, `sql.busy`. */
  async ask(ctx: RequestContext, id: string, request: TableQuestion, signal?: AbortSignal): Promise<QuestionAnswer> {
    const { id: dataset } = await this.access.requireVisible(ctx, id);
    if (request.method === 'model' && !this.models.isInstalled) throw tableErrors.chat_model_needed({});
    let method = this.models.isInstalled ? (request.method ?? 'rules') : 'rules';
    let shown = await this.tables.listShown(ctx, dataset);
    let former: QuestionAnswer | undefined;
    for (let round = 1; ; round += 1) {
      const answer = withFormer(await this.answer(ctx, { dataset, request, shown, method, signal }), former);
      const after = await this.tables.listShown(ctx, dataset);
      if (isSame(shown, after) || (answer.method === 'model' && hasAll(after, answer.model?.shown ?? [])))
        return answer;
      // The statement was made of what one generation holds and may have read another one's rows.
      if (round === ROUNDS)
        return answer.method === 'model' ? byRules(undefined, { refusal: STATEMENT_REFUSED }) : answer;
      // A model is asked once for a question.
      if (answer.model !== undefined) [method, former] = ['rules', answer];
      shown = after;
    }
  }

  private async answer(ctx: RequestContext, round: Round): Promise<QuestionAnswer> {
    const { dataset, request, shown, method, signal } = round;
    const framed = { ...request, question: frameInEnglish(request.question) };
    const read = await this.rules.read(ctx, dataset, framed.question, shown, signal);
    const own = () => this.rules.answer(ctx, dataset, framed, read, signal);
    if (method === 'rules' || shown.length === 0) return own();
    const first = method === 'auto' ? await own() : undefined;
    if (first?.refusal === undefined && (first?.reading?.confidence ?? 0) >= SURE) return first!;
    const schema = fitSchema(request.question, read.linked, read.total, this.models.schemaTokens);
    const outcome = await this.models.write(ctx, {
      dataset,
      question: request.question,
      schema,
      ...(signal === undefined ? {} : { signal }),
    });
    const model = { name: this.models.name, promptVersion: PROMPT_VERSION, calls: outcome.calls, shown: schema.parts };
    if (outcome.kind !== 'failed') return answerByModel(request, outcome, { schema, model, rules: first });
    const fallback = first ?? (await own());
    return { ...fallback, model, warnings: [warningOf(outcome.failure, outcome.refusedBy), ...fallback.warnings] };
  }
}

/** Rules that answer after a model's statement was dropped say so. */
function withFormer(answer: QuestionAnswer, former: QuestionAnswer | undefined): QuestionAnswer {
  if (former === undefined) return answer;
  const dropped = former.method === 'model' ? [warningOf('tables_changed')] : former.warnings;
  return { ...answer, model: former.model, warnings: [...dropped, ...answer.warnings] };
}

function isSame(before: readonly ShownTable[], after: readonly ShownTable[]): boolean {
  return before.length === after.length && before.every((table, at) => table.object_key === after[at]!.object_key);
}

function hasAll(after: readonly ShownTable[], seen: readonly ShownTable[]): boolean {
  const keys = new Set(after.map(({ object_key }) => object_key));
  return seen.every(({ object_key }) => keys.has(object_key));
}
