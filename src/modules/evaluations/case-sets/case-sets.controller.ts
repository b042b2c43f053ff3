import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NeedsSpace, ImportBody } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { TakesCsvCases, TakesCsvCaseSet } from '../cases/case-set-csv.openapi.js';
import { CaseSetsService } from './case-sets.service.js';
import { GenerateCaseSetRequest } from '../records/generation.dto.js';
import { CaseGenerations } from '../generation/case-generations.service.js';
import {
  CaseSet,
  CaseSetHead,
  CaseSetPage,
  CaseSetQuery,
  CreateCaseSetRequest,
  ListCaseSetsQuery,
  UpdateCaseSetRequest,
} from '../records/case-set.dto.js';

@ApiTags('Evaluations')
@Controller('evaluations/case-sets')
export class CaseSetsController {
  constructor(
    private readonly sets: CaseSetsService,
    private readonly generations: CaseGenerations,
  ) {}

  /**
   * Create a case set.
   * @remarks Stores 1 to 2,000 cases for evaluations, as JSON or CSV, at most 8 MiB. CSV may be the whole body, with `Content-Type: text/csv`;
   * `name` and `dataset_ids` (separated by commas) are then query parameters. The set is visible only to those who see all of its datasets; this
   * is checked at every read.
   */
  @Post()
  @NeedsSpace()
  @Permit('evaluations:run', { outsider: 'not_found' })
  @ImportBody()
  @TakesCsvCaseSet()
  @ApiOperation({ operationId: 'createCaseSet' })
  create(@Ctx() ctx: RequestContext, @Body() request: CreateCaseSetRequest): Promise<CaseSetHead> {
    return this.sets.create(ctx, request);
  }

  /**
   * Generate a case set from documents.
   * @remarks Turns sentences of a dataset into questions, by rules or by the chat model, in the background: `generation` of the set shows the
   * progress, and the cases appear one after the other. Each is `generated` and waits to be approved (PATCH): evaluations leave it out until then.
   * Duplicates are left out. A case is removed, from sets and evaluations, when the document that it was generated from is deleted or put into
   * quarantine. Needs `documents:read` and `retrieval:search` as well, with `llm` also `chat:complete`; the model's calls are counted with the
   * purpose `evaluation`.
   */
  @Post('generate')
  @NeedsSpace()
  @HttpCode(202)
  @Permit('evaluations:run', { outsider: 'not_found' })
  @ApiOperation({ operationId: 'generateCaseSet' })
  generate(@Ctx() ctx: RequestContext, @Body() request: GenerateCaseSetRequest): Promise<CaseSetHead> {
    return this.generations.start(ctx, request);
  }

  /**
   * List case sets.
   * @remarks Lists those whose datasets are all visible to the caller, without their cases.
   */
  @Get()
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'listCaseSets' })
  list(@Ctx() ctx: RequestContext, @Query() query: ListCaseSetsQuery): Promise<CaseSetPage> {
    return this.sets.list(ctx, query);
  }

  /**
   * Read a case set.
   * @remarks Returns the set with its cases in order; fields that were omitted in the request have their defaults.
   */
  @Get(':case_set_id')
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'getCaseSet' })
  read(@Ctx() ctx: RequestContext, @Param('case_set_id') id: string, @Query() query: CaseSetQuery): Promise<CaseSet> {
    return this.sets.read(ctx, id, query.version);
  }

  /**
   * Change a case set.
   * @remarks Changes the name, replaces all cases (`cases`, `csv`), appends cases (`add`) or approves generated cases. Every change of the cases
   * makes a new version. Evaluations keep the version that they were started with. A body of `text/csv` contains the cases of the new version.
   */
  @Patch(':case_set_id')
  @Permit('evaluations:run')
  @ImportBody()
  @TakesCsvCases()
  @ApiOperation({ operationId: 'updateCaseSet' })
  update(
    @Ctx() ctx: RequestContext,
    @Param('case_set_id') id: string,
    @Body() request: UpdateCaseSetRequest,
  ): Promise<CaseSetHead> {
    return this.sets.update(ctx, id, request);
  }

  /**
   * Delete a case set.
   * @remarks Deletes all versions. Evaluations that used the set keep their copy of the cases.
   */
  @Delete(':case_set_id')
  @HttpCode(204)
  @Permit('evaluations:run')
  @ApiOperation({ operationId: 'deleteCaseSet' })
  @ApiNoContentResponse({ description: 'Deleted.' })
  remove(@Ctx() ctx: RequestContext, @Param('case_set_id') id: string): Promise<void> {
    return this.sets.remove(ctx, id);
  }
}
