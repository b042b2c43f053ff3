import { Body, Controller, Headers, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { csvLine } from '#libs/common';
import { callerSignal, WithoutIdempotency } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { SqlQueryRequest, SqlQueryResponse } from './dto/query-sql.dto.js';
import { SqlQueriesService } from './sql-queries.service.js';

/** Questions over the tables of documents. */
@ApiTags('Tables')
@Controller('datasets/:id/tables/query')
export class TableQueriesController {
  constructor(private readonly queries: SqlQueriesService) {}

  /**
   * Query tables by SQL.
   * @remarks One `SELECT` (with `WITH`, joins, subqueries, aggregates and windows) over the tables of `GET /datasets/{id}/tables`, in
   * DuckDB's dialect; tables are named alone. Whatever else a text asks for is refused with its place: other statements, files, settings,
   * catalogues, functions that reach outside. It reads what is shown at this moment and is stopped after `timeout_ms`, and when the caller
   * leaves. `Accept: text/csv` answers CSV with a header row (RFC 4180, UTF-8); texts that a spreadsheet would take for a formula begin
   * with an apostrophe there, and the header `X-Truncated` tells whether there are more rows.
   */
  @Post('sql')
  @HttpCode(200)
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
    if (/\btext\/csv\b/i.test(accept ?? '')) {
      void reply.header('content-type', 'text/csv; charset=utf-8').header('x-truncated', String(truncated));
      return [columns.map(({ name }) => name), ...rows].map(csvLine).join('');
    }
    return {
      columns: [...columns],
      rows: rows.map((row) => [...row]),
      row_count: rows.length,
      truncated,
      row_sources: result.rowSources === null ? null : [...result.rowSources],
      source_documents: result.sourceDocuments.map((each) => ({ document_id: each.id, document_name: each.name })),
      elapsed_ms: Math.round(performance.now() - begun),
    };
  }
}
