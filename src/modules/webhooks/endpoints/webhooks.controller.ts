import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { AnswerHeaders, ShownOnce } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import {
  CreateWebhookRequest,
  ListWebhooksQuery,
  UpdateWebhookRequest,
  Webhook,
  WebhookPage,
  WebhookWithSecret,
} from './webhook.dto.js';
import { TargetGuard } from '../target/target.guard.js';
import { WebhooksService } from './webhooks.service.js';

@ApiTags('Webhooks')
@Controller('webhooks')
@Permit('webhooks:manage')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  /**
   * Create a webhook.
   * @remarks The webhook acts for the caller's account (an API key counts as its account, limited to the datasets of the key) and gets only
   * events of datasets that this account sees. Messages follow Standard Webhooks 1.0.0; the secret that signs them is shown only in this
   * answer. A `url` that leads to an address that is not public is refused (422), and so is every attempt to send to one.
   */
  @Post()
  @AnswerHeaders('Location')
  @ShownOnce('secret')
  @UseGuards(TargetGuard)
  @ApiOperation({ operationId: 'createWebhook' })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() request: CreateWebhookRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WebhookWithSecret> {
    const made = await this.webhooks.create(ctx, request);
    void reply.header('Location', `/api/v1/webhooks/${made.id}`);
    return made;
  }

  /**
   * List webhooks.
   * @remarks All webhooks of the tenant; `disabled_reason` says why a webhook is disabled.
   */
  @Get()
  @ApiOperation({ operationId: 'listWebhooks' })
  list(@Ctx() ctx: RequestContext, @Query() query: ListWebhooksQuery): Promise<WebhookPage> {
    return this.webhooks.list(ctx, query);
  }

  /**
   * Read a webhook.
   * @remarks Any webhook of the tenant. The secret is not shown again; if it is lost, rotate it.
   */
  @Get(':id')
  @ApiOperation({ operationId: 'getWebhook' })
  get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<Webhook> {
    return this.webhooks.get(ctx, id);
  }

  /**
   * Change a webhook.
   * @remarks Fields that are left out stay unchanged. Only the account that the webhook acts for can change `url` and `events` and enable the
   * webhook; any caller with `webhooks:manage` can change `description` and disable it. Disabling cancels all deliveries that have not been
   * sent; enabling clears `disabled_reason`.
   */
  @Patch(':id')
  @UseGuards(TargetGuard)
  @ApiOperation({ operationId: 'updateWebhook' })
  update(@Ctx() ctx: RequestContext, @Param('id') id: string, @Body() request: UpdateWebhookRequest): Promise<Webhook> {
    return this.webhooks.update(ctx, id, request);
  }

  /**
   * Delete a webhook.
   * @remarks Also deletes the delivery log. A delivery that is being sent at this moment may still arrive.
   */
  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ operationId: 'deleteWebhook' })
  remove(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    return this.webhooks.remove(ctx, id);
  }

  /**
   * Rotate the secret of a webhook.
   * @remarks The new secret is shown only in this answer. For 24 hours messages have two signatures, one with the new and one with the former
   * secret; a rotation within that time ends the oldest secret. Only for the account that the webhook acts for.
   */
  @Post(':id/rotate-secret')
  @HttpCode(200)
  @ShownOnce('secret')
  @ApiOperation({ operationId: 'rotateWebhookSecret' })
  rotateSecret(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<WebhookWithSecret> {
    return this.webhooks.rotateSecret(ctx, id);
  }
}
