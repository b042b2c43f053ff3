import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res, UseGuards } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ShownOnce } from '#libs/http';
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
   * @remarks It acts for the caller's account (an API key counts as its account, within its list of datasets) and is told only of datasets
   * that this account sees. Messages follow Standard Webhooks 1.0.0; the secret that signs them is shown in this answer and never again. A
   * `url` that leads to an address that is not public is refused (422), as it is at every attempt.
   */
  @Post()
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
   * @remarks Those of the tenant, whoever made them; `disabled_reason` says why one is off.
   */
  @Get()
  @ApiOperation({ operationId: 'listWebhooks' })
  list(@Ctx() ctx: RequestContext, @Query() query: ListWebhooksQuery): Promise<WebhookPage> {
    return this.webhooks.list(ctx, query);
  }

  /**
   * Read a webhook.
   * @remarks Whoever of the tenant made it. Its secret is not shown again: rotate it when it is lost.
   */
  @Get(':id')
  @ApiOperation({ operationId: 'getWebhook' })
  get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<Webhook> {
    return this.webhooks.get(ctx, id);
  }

  /**
   * Change a webhook.
   * @remarks What is left out stays. `url`, `events` and switching it on are for the account that it acts for; who manages webhooks may
   * describe it and switch it off. Off, it cancels what has not been sent; on again, it forgets why it was off.
   */
  @Patch(':id')
  @UseGuards(TargetGuard)
  @ApiOperation({ operationId: 'updateWebhook' })
  update(@Ctx() ctx: RequestContext, @Param('id') id: string, @Body() request: UpdateWebhookRequest): Promise<Webhook> {
    return this.webhooks.update(ctx, id, request);
  }

  /**
   * Delete a webhook.
   * @remarks With its log. What is being sent at this moment may still arrive.
   */
  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ operationId: 'deleteWebhook' })
  remove(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    return this.webhooks.remove(ctx, id);
  }

  /**
   * Rotate the secret of a webhook.
   * @remarks The new secret is shown in this answer and never again. For 24 hours messages carry two signatures, with the new and with the
   * former secret; a rotation within that time ends the oldest. For the account that the webhook acts for.
   */
  @Post(':id/rotate-secret')
  @HttpCode(200)
  @ShownOnce('secret')
  @ApiOperation({ operationId: 'rotateWebhookSecret' })
  rotateSecret(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<WebhookWithSecret> {
    return this.webhooks.rotateSecret(ctx, id);
  }
}
