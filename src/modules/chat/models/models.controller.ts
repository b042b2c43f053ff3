import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { IgnoresUnknownParameters } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { ChatModels } from './chat-models.service.js';
import { ListModelsQuery, Model, ModelList } from './model.dto.js';

const MODEL_ID = {
  name: 'id',
  description: 'Name of a model as the list shows it.',
  schema: { type: 'string', maxLength: 200 },
  example: 'default',
} as const;

@ApiTags('Chat')
@IgnoresUnknownParameters()
@Controller('models')
export class ModelsController {
  constructor(private readonly models: ChatModels) {}

  /**
   * List models.
   * @remarks Models that `model` of a chat completion may name come first: the configured one, the chat models of `MODELS_FILE`, `default` as
   * another name of the first, and the newest 100 datasets that the caller sees, each as `dataset:<id>`. Then follow the embedding models, for
   * `embedding.model` of an ingestion policy, and the rerankers, for `rerank.provider` of a search; of both, the configured one first. `?port=`
   * lists one kind alone.
   */
  @Get()
  @Permit('chat:complete', { outsider: 'empty' })
  @ApiOperation({ operationId: 'listModels' })
  list(@Ctx() ctx: RequestContext, @Query() query: ListModelsQuery): Promise<ModelList> {
    return this.models.list(ctx, query.port);
  }

  /**
   * Read a model.
   * @remarks `dataset:<id>` names any dataset that the caller sees, whether listed or not; a dataset that the caller does not see is 404, like an
   * unknown model.
   */
  @Get(':id')
  @Permit('chat:complete', { outsider: 'not_found' })
  @ApiParam(MODEL_ID)
  @ApiOperation({ operationId: 'getModel' })
  get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<Model> {
    return this.models.get(ctx, id);
  }
}
