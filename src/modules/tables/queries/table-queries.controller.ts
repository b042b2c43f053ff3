import { Body, Controller, Headers, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { csvLine } from '#libs/common';
import { callerSignal, WithoutIdempotency, RateLimit } from '#libs/http';
import type { TableResult } from '../engine/table-engine.port.js';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { NaturalLanguageQueryRequest, NaturalLanguageQueryResponse } from '../questions/query-natural-language.dto.js';
import { SqlQueryRequest, SqlQueryResponse } from '../sql/query-sql.dto.js';
import { NaturalLanguageQueriesService } from './natural-language-queries.service.js';
import { preferredFormat } from '../sql/preferred-format.js';
import type { QuestionAnswer } from '../questions/question-answer.js';
import { SqlQueriesService } from '../sql/sql-queries.service.js';

/** Questions over the tables of documents. */
@ApiTags('Tables')
@Controller('datasets/:id/tables/query')
export class TableQueriesController {
  constructor(
    private readonly queries: SqlQueriesService,
    private readonly questions: NaturalLanguageQueriesService,
  ) {}

  /**
   * Query tables by SQL.
   * @remarks One `SELECT` (with `WITH`, joins, subqueries, aggregates and windows) over the tables of `GET /datasets/{id}/tables`, in DuckDB's
   * dialect; a table is addressed by its name alone. Other statements, files, settings, catalogues and functions that reach outside are refused
   * with their position in the text. The statement reads the tables as they are shown at this moment; it is stopped after `timeout_ms`, and when
   * the caller disconnects. With `Accept: text/csv`, where preferred to JSON, the response is CSV with a header row (RFC 4180, UTF-8); a text
   * that a spreadsheet would take for a formula begins with an apostrophe, and the header `X-Truncated` says whether there are more rows.
   */
  @Post('sql')
  @HttpCode(200)
  @RateLimit('default', 2)
  @Permit('tables:query')
  @WithoutIdempotency()
  @ApiOperation({ operationId: 'queryTablesBySql' })
  @ApiExtraModels(SqlQueryResponse)
  @ApiOkResponse({
    description: 'The rows.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(SqlQueryResponse) } },
      'text/csv': { schema: { type: 'string' } },
    },
  })
  async sql(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() request: SqlQueryRequest,
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SqlQueryResponse | string> {
    const begun = performance.now();
    const result = await this.queries.run(ctx, id, request, callerSignal(reply));
    const { columns, rows, truncated } = result;
    if (preferredFormat(accept) === 'csv') {
      void reply.header('content-type', 'text/csv; charset=utf-8').header('x-truncated', String(truncated));
      return [columns.map(({ name }) => name), ...rows].map(csvLine).join('');
    }
    return toResponse(result, begun);
  }

  /**
   * Query tables by a question.
   * @remarks Rules turn a question in English, German, French or Spanish into an SQL statement over one table of the dataset: they match its
   * words with headers, synonyms of headers and values of cells, and understand conditions, numbers, dates, counts, sums, averages, extremes, groups, orders, neighbouring rows,
   * differences and choices. Where the rules are not sure, and a chat model that writes text is configured, the model is given the tables that
   * fit the question (names, headers, types, some cells) and writes the statement, over several tables if needed. When the statement is refused,
   * fails or finds nothing, the model writes another one, once. `method` selects between them, and the response says which one answered. When the
   * model fails or the budget is used up, the rules answer, with a warning. In either case the statement is checked and executed like one of
   * `query/sql`.
   *
   * The response always says how the question was understood: the statement, its explanation, its assumptions and the confidence. When a word that
   * may restrict rows (a name, a place, a time, a negation) has no place in the statement of the rules, the question is refused and the word is
   * named (`condition_not_understood`). When no reading is good enough, or the question fits several tables equally, the question is refused
   * (`refused`, `reason_code`, `reason`) without rows, instead of guessing. `dry_run` returns only the statement (a model's statement is executed
   * to check it, but its rows are not returned).
   */
  @Post('natural-language')
  @RateLimit('default', 2)
  @HttpCode(200)
  @Permit('tables:query')
  @WithoutIdempotency()
  @ApiOperation({ operationId: 'queryTablesByQuestion' })
  async naturalLanguage(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() { question, dry_run: dryRun, method }: NaturalLanguageQueryRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<NaturalLanguageQueryResponse> {
    const begun = performance.now();
    // Null is as if it were not there.
    const asked = { question, dryRun: dryRun ?? false, method: method ?? 'auto' };
    const answer = await this.questions.ask(ctx, id, asked, callerSignal(reply));
    return { ...toUnderstanding(answer), ...toResponse(answer.result ?? NOTHING, begun) };
  }
}

const NOTHING: TableResult = {
  columns: [],
  rows: [],
  truncated: false,
  rowSources: null,
  sourceDocuments: [],
  tables: [],
};

function toResponse(
  { columns, rows, truncated, rowSources, sourceDocuments }: TableResult,
  begun: number,
): SqlQueryResponse {
  return {
    columns: [...columns],
    rows: rows.map((row) => [...row]),
    row_count: rows.length,
    truncated,
    row_sources: rowSources === null ? null : [...rowSources],
    source_documents: sourceDocuments.map((each) => ({ document_id: each.id, document_name: each.name })),
    elapsed_ms: Math.round(performance.now() - begun),
  };
}

function toUnderstanding({
  method,
  model,
  reading,
  refusal,
  result,
  warnings,
}: QuestionAnswer): Omit<NaturalLanguageQueryResponse, keyof SqlQueryResponse> {
  const shown = refusal === undefined ? reading : undefined;
  return {
    sql: shown?.sql ?? null,
    explanation: shown?.explanation ?? null,
    assumptions: [...(shown?.assumptions ?? [])],
    confidence: reading?.confidence ?? 0,
    table: shown?.table ?? null,
    tables: [...(shown?.tables ?? [])],
    unexplained: [...(reading?.unexplained ?? [])],
    method,
    model: model === undefined ? null : { name: model.name, prompt_version: model.promptVersion, calls: model.calls },
    warnings: warnings.map((warning) => ({ ...warning })),
    executed: result !== undefined,
    refused: refusal !== undefined,
    reason_code: refusal?.code ?? null,
    reason: refusal?.reason ?? null,
  };
}
