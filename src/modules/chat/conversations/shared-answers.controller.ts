import { Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiConflictResponse, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NeedsSpace, RateLimit, WithoutIdempotency } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { AnswerShare, SharedAnswer } from './shared-answer.dto.js';
import { SharedAnswersService } from './shared-answers.service.js';

@ApiTags('Chat')
@Controller()
export class SharedAnswersController {
  constructor(private readonly answers: SharedAnswersService) {}

  /**
   * Share an answer.
   * @remarks Makes a link to one answer of a conversation of the caller; a second time it answers the link that there is. `GET /shared-answers/{id}`
   * shows question and answer to members of the tenant who see everything that the answer was made of; the rest of the conversation stays private.
   * An answer that is withheld from the caller is 409. The link goes with the conversation. It stands in the audit log.
   */
  @Post('conversations/:conversation_id/turns/:turn_id/share')
  @HttpCode(200)
  @NeedsSpace()
  @WithoutIdempotency()
  @Permit('chat:complete')
  @RateLimit('default', 2)
  @ApiOperation({ operationId: 'shareAnswer' })
  @ApiConflictResponse({ description: 'The answer is withheld from the caller (`conversations.answer_withheld`).' })
  share(
    @Ctx() ctx: RequestContext,
    @Param('conversation_id') conversationId: string,
    @Param('turn_id') turnId: string,
  ): Promise<AnswerShare> {
    return this.answers.share(ctx, conversationId, turnId);
  }

  /**
   * Revoke a shared answer.
   * @remarks At once and for everybody; a link that is made later has another id. It stands in the audit log.
   */
  @Delete('conversations/:conversation_id/turns/:turn_id/share')
  @HttpCode(204)
  @Permit('chat:complete')
  @ApiOperation({ operationId: 'revokeSharedAnswer' })
  @ApiNoContentResponse({ description: 'Revoked.' })
  revoke(
    @Ctx() ctx: RequestContext,
    @Param('conversation_id') conversationId: string,
    @Param('turn_id') turnId: string,
  ): Promise<void> {
    return this.answers.revoke(ctx, conversationId, turnId);
  }

  /**
   * Read a shared answer.
   * @remarks As the caller may see it now. Who does not see every dataset that was asked and every document that the answer, or an earlier one that
   * it goes on from, was made of, with the same text, gets 404, as for a link that is revoked or was never made.
   */
  @Get('shared-answers/:id')
  @Permit('chat:complete')
  @RateLimit('default', 2)
  @ApiOperation({ operationId: 'getSharedAnswer' })
  read(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<SharedAnswer> {
    return this.answers.read(ctx, id);
  }
}
