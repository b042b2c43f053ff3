import { Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiConflictResponse, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NeedsSpace, RateLimit } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { AnswerShare, ListSharedAnswersQuery, OwnSharedAnswerPage, SharedAnswer } from './shared-answer.dto.js';
import { SharedAnswersService } from './shared-answers.service.js';

@ApiTags('Chat')
@Controller()
export class SharedAnswersController {
  constructor(private readonly answers: SharedAnswersService) {}

  /**
   * Share an answer.
   * @remarks Creates a link to one answer of a conversation of the caller; calling it again returns the existing link. `GET /shared-answers/{id}`
   * shows question and answer to members of the tenant who may see everything that the answer rests on; the rest of the conversation stays
   * private. An answer that is withheld from the caller is 409. Deleting the conversation removes the link. Sharing is recorded in the audit log.
   */
  @Post('conversations/:conversation_id/turns/:turn_id/share')
  @HttpCode(200)
  @NeedsSpace()
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
   * @remarks Takes effect at once and for all members; a link that is created later has another id. Recorded in the audit log.
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
   * List own shared answers.
   * @remarks The caller's links that are not revoked, the newest first: those of an account lead to answers of its own conversations, those of an
   * API key to answers of the conversations that it created. `withheld` tells why a link shows nothing at present.
   */
  @Get('shared-answers')
  @Permit('chat:complete')
  @RateLimit('default', 2)
  @ApiOperation({ operationId: 'listSharedAnswers' })
  list(@Ctx() ctx: RequestContext, @Query() query: ListSharedAnswersQuery): Promise<OwnSharedAnswerPage> {
    return this.answers.list(ctx, query);
  }

  /**
   * Read a shared answer.
   * @remarks Shows the answer as far as the caller may see it now. The caller must see every dataset that was asked and every document that the
   * answer, or an earlier answer that it continues, rests on, and the text of these documents must be unchanged. Otherwise the response is 404,
   * as for a revoked or unknown link.
   */
  @Get('shared-answers/:id')
  @Permit('chat:complete')
  @RateLimit('default', 2)
  @ApiOperation({ operationId: 'getSharedAnswer' })
  read(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<SharedAnswer> {
    return this.answers.read(ctx, id);
  }
}
