import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiConflictResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NeedsSpace } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { KgGraph, KgTriggered, TriggerKgRequest } from '../graphs/kg.dto.js';
import { KgService } from './kg.service.js';

@ApiTags('Knowledge graph')
@Controller('kg')
export class KgController {
  constructor(private readonly graphs: KgService) {}

  /**
   * Build the knowledge graph of a dataset.
   * @remarks Extracts entities and how they belong together from the documents that search finds; it goes on after this answers: read
   * `GET /kg/{id}` until it is `completed` or `incomplete`, which `kg.completed` tells webhooks. Documents that are extracted already are not extracted again, and
   * a graph follows its documents from then on: what is deleted or quarantined is gone from it in the same moment as from search, and a document that is
   * reingested or released keeps its part. New documents come in by a further call, or while they are ingested where the policy has `kg.mode`. One extraction
   * at a time for a dataset: `kg.running`.
   *
   * `mode: llm` has the chat model read each chunk. Of its answers that holds what the text has: a name stands in the chunk, of a kind that was asked for, and
   * relations join such names. `budget.max_tokens` bounds a run; `dry_run` says what it would take and starts nothing. What was read is kept by document, so
   * a run that ended early, a service that was killed and a document that is ingested again pay for no text twice.
   */
  @Post('trigger')
  @NeedsSpace()
  @HttpCode(202)
  @Permit('kg:run', { outsider: 'not_found' })
  @ApiOperation({ operationId: 'triggerKnowledgeGraph' })
  @ApiConflictResponse({ description: 'An extraction for the dataset is under way.' })
  trigger(@Ctx() ctx: RequestContext, @Body() request: TriggerKgRequest): Promise<KgTriggered> {
    return this.graphs.trigger(ctx, request);
  }

  /**
   * Read how far a knowledge graph is.
   * @remarks The id is the graph's or its dataset's.
   */
  @Get(':id')
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'getKnowledgeGraphStatus' })
  read(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<KgGraph> {
    return this.graphs.read(ctx, id);
  }
}
