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
   * @remarks Extracts entities and their relations from the documents that searches find. The extraction continues after the response: read
   * `GET /kg/{id}` until its status is `completed` or `incomplete`; webhooks receive `kg.completed`. Documents that were extracted before are not
   * extracted again. The graph follows its documents: what a deleted or quarantined document says leaves the graph at the same moment as
   * searches, and a document that is reingested or released keeps its part. New documents are added by another call, or during ingestion where
   * the policy has `kg.mode`. Only one extraction runs for a dataset at a time: `kg.running`.
   *
   * With `mode: llm` the chat model reads each chunk. Of its answers only names of the requested kinds that are in the chunk are kept, and
   * relations between such names. `budget.max_tokens` limits a run; `dry_run` returns an estimate and starts nothing. Results are stored by
   * document, so that no text is paid for twice: not after a run that ended early, a service that was killed or a document that is ingested
   * again.
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
   * Read the state of a knowledge graph.
   * @remarks The id is that of the graph or of its dataset.
   */
  @Get(':id')
  @Permit('datasets:read')
  @ApiOperation({ operationId: 'getKnowledgeGraphStatus' })
  read(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<KgGraph> {
    return this.graphs.read(ctx, id);
  }
}
