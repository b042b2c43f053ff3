import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiConflictResponse, ApiNotFoundResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RateLimit, WithoutIdempotency } from '#libs/http';
import { Ctx, FromClient, OptionalCtx, Permit, Public, type Client, type RequestContext } from '#libs/tenancy';
import {
  AcceptedInvitation,
  AcceptInvitationDto,
  InvitationPreview,
  OwnInvitationPage,
  PreviewInvitationDto,
} from './invitation.dto.js';
import { AccountsListQuery } from '../record/list-query.dto.js';
import { OwnInvitationsService } from './own-invitations.service.js';

@ApiTags('Authentication')
@Controller('auth/invitations')
export class OwnInvitationsController {
  constructor(private readonly invitations: OwnInvitationsService) {}

  /**
   * List the caller's invitations.
   * @remarks Invitations for the account's e-mail address, to any tenant. The list is empty if the account's address comes only from an
   * inviter, because then it is not proven that the address is the caller's. `name` in `order_by` is the name of the tenant.
   */
  @Get()
  @Permit(null, { accountOnly: true })
  @ApiOperation({ operationId: 'listOwnInvitations' })
  list(@Ctx() ctx: RequestContext, @Query() query: AccountsListQuery): Promise<OwnInvitationPage> {
    return this.invitations.list(ctx, query);
  }

  /**
   * Preview an invitation.
   * @remarks Shows a caller who has the secret what the invitation is for, without accepting it. Links for people contain the secret after
   * `#`, a part that browsers do not send to servers; the link of the console is `/invitation#<secret>`.
   */
  @Post('preview')
  @HttpCode(200)
  @Public()
  @RateLimit('login')
  @WithoutIdempotency()
  @ApiOperation({ operationId: 'previewInvitation' })
  @ApiNotFoundResponse({ description: 'No open invitation has this secret.' })
  preview(@Body() { secret }: PreviewInvitationDto): Promise<InvitationPreview> {
    return this.invitations.preview(secret);
  }

  /**
   * Accept an invitation.
   * @remarks With an access token the account joins if it has the invited address. Without a credential `password` makes a new account for the
   * address, which joins and belongs only to this tenant, whatever accounts the address has elsewhere. The secret works once.
   */
  @Post('accept')
  @HttpCode(200)
  @Permit(null, { accountOnly: true, anonymous: true })
  @RateLimit('login')
  @WithoutIdempotency()
  @ApiOperation({ operationId: 'acceptInvitation' })
  @ApiConflictResponse({ description: 'The invited address already belongs to a member.' })
  accept(
    @OptionalCtx() ctx: RequestContext | undefined,
    @FromClient() client: Client,
    @Body() acceptance: AcceptInvitationDto,
  ): Promise<AcceptedInvitation> {
    return this.invitations.accept(ctx, client, acceptance);
  }

  /**
   * Decline an invitation.
   * @remarks Removes an invitation that `GET /auth/invitations` lists; its secret is not needed.
   */
  @Post(':id/decline')
  @HttpCode(204)
  @Permit(null, { accountOnly: true })
  @WithoutIdempotency()
  @ApiOperation({ operationId: 'declineInvitation' })
  decline(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<void> {
    return this.invitations.decline(ctx, id);
  }
}
