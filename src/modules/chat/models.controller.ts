import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { ChatModels } from './chat-models.js';
import { ModelList } from './dto/model.dto.js';

@ApiTags('Chat')
@Controller('models')
export class ModelsController {
  constructor(private readonly models: ChatModels) {}

  /**
   * List chat models.
   * @remarks The names that `model` of a chat completion may have.
   */
  @Get()
  @Permit('chat:complete', { outsider: 'empty' })
  @ApiOperation({ operationId: 'listModels' })
  list(@Ctx() ctx: RequestContext): ModelList {
    return this.models.list(ctx);
  }
}
