import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiConsumes, ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { AnswerHeaders, NeedsSpace, RateLimit } from '#libs/http';
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
   * @remarks The `id` is sent as `conversation_id` of `POST /chat/completions`: questions and answers are kept in the conversation, and follow-up
   * questions use the earlier ones as context. It is private to the caller: an account has its own conversations, an API key those that it
   * created; administrators do not see them. It is removed when it is not continued for `CONVERSATIONS_KEPT_DAYS` days, and together with the
   * membership or the API key that owns it.
   */
  @Post()
  @NeedsSpace()
  @AnswerHeaders('Location')
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
   * @remarks The caller's own conversations without their turns, the most recently continued first. To read long lists, use `after`.
   */
  @Get()
  @Permit('chat:complete')
  @ApiOperation({ operationId: 'listConversations' })
  list(@Ctx() ctx: RequestContext, @Query() query: ListConversationsQuery): Promise<ConversationPage> {
    return this.conversations.list(ctx, query);
  }

  /**
   * Read a conversation.
   * @remarks Returns the newest turns, oldest first; `before` reads the earlier ones. An answer is shown only while the caller may see the
   * dataset, documents and texts that it rests on; otherwise it is withheld with the reason. The answer of a deleted document is removed
   * permanently.
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
   * @remarks The place of the conversation in the list does not change.
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
   * @remarks Deletes the conversation with all its turns and what was recorded of its refused and rated questions, at once and permanently.
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
