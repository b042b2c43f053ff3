import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiConsumes, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { NeedsSpace, RateLimit } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import {
  Conversation,
  ConversationPage,
  ConversationWithTurns,
  CreateConversationRequest,
  ListConversationsQuery,
  ReadConversationQuery,
  UpdateConversationRequest,
} from './conversation.dto.js';
import { ConversationsService } from './conversations.service.js';

@ApiTags('Chat')
@Controller('conversations')
export class ConversationsController {
  constructor(private readonly conversations: ConversationsService) {}

  /**
   * Begin a conversation.
   * @remarks Its id is `conversation_id` of `POST /chat/completions`: questions and answers are kept in it, and follow-up questions find the earlier
   * ones there. It is the caller's alone: an account has its own, an API key those that it made itself, no administrator sees them. It goes
   * when nobody has gone on with it for `CONVERSATIONS_KEPT_DAYS`, with the membership and with the API key.
   */
  @Post()
  @NeedsSpace()
  @Permit('chat:complete')
  @ApiOperation({ operationId: 'createConversation' })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() request: CreateConversationRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Conversation> {
    const made = await this.conversations.create(ctx, request);
    void reply.header('Location', `/api/v1/conversations/${made.id}`);
    return made;
  }

  /**
   * List conversations.
   * @remarks The caller's own, the one that was gone on with last first, without their turns. Long lists are read with `after`.
   */
  @Get()
  @Permit('chat:complete')
  @ApiOperation({ operationId: 'listConversations' })
  list(@Ctx() ctx: RequestContext, @Query() query: ListConversationsQuery): Promise<ConversationPage> {
    return this.conversations.list(ctx, query);
  }

  /**
   * Read a conversation.
   * @remarks With its newest turns, oldest first; `before` reads the earlier ones. What the caller may see now is what is shown: an answer whose
   * dataset, documents or texts are not shown to him any more is withheld with the reason, and comes back when they are. The answer of a
   * document that is deleted is removed for good.
   */
  @Get(':conversation_id')
  @Permit('chat:complete')
  @RateLimit('default', 2)
  @ApiOperation({ operationId: 'getConversation' })
  read(
    @Ctx() ctx: RequestContext,
    @Param('conversation_id') id: string,
    @Query() query: ReadConversationQuery,
  ): Promise<ConversationWithTurns> {
    return this.conversations.read(ctx, id, query);
  }

  /**
   * Rename a conversation.
   * @remarks Its place in the list stays: a name is no turn.
   */
  @Patch(':conversation_id')
  @Permit('chat:complete')
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiOperation({ operationId: 'updateConversation' })
  rename(
    @Ctx() ctx: RequestContext,
    @Param('conversation_id') id: string,
    @Body() { title }: UpdateConversationRequest,
  ): Promise<Conversation> {
    return this.conversations.rename(ctx, id, title);
  }

  /**
   * Delete a conversation.
   * @remarks With all its turns, and what was noted of its refused and rated questions, at once and for good.
   */
  @Delete(':conversation_id')
  @HttpCode(204)
  @Permit('chat:complete')
  @ApiOperation({ operationId: 'deleteConversation' })
  @ApiNoContentResponse({ description: 'Deleted.' })
  remove(@Ctx() ctx: RequestContext, @Param('conversation_id') id: string): Promise<void> {
    return this.conversations.remove(ctx, id);
  }
}
