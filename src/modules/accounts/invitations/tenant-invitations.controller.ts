import { Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { TenantInvitationPage } from './invitation.dto.js';
import { AccountsListQuery } from '../record/list-query.dto.js';
import { InvitationsService } from './invitations.service.js';

/** Open invitations to the tenant that the caller acts in. */
@ApiTags('Tenants')
@Controller('tenants/:id/invitations')
@Permit('members:manage', { tenantParameter: 'id' })
export class TenantInvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  /**
   * List the open invitations of a tenant.
   * @remarks Invitations that have not been accepted, declined or withdrawn. `name` in `order_by` is the e-mail address.
   */
  @Get()
  @ApiOperation({ operationId: 'listTenantInvitations' })
  list(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Query() query: AccountsListQuery,
  ): Promise<TenantInvitationPage> {
    return this.invitations.list(ctx, id, query);
  }

  /**
   * Withdraw an invitation.
   * @remarks The secret is invalid at once. An account that was made with the invitation and has never been used is removed.
   */
  @Delete(':invitation_id')
  @HttpCode(204)
  @ApiOperation({ operationId: 'withdrawInvitation' })
  withdraw(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Param('invitation_id') invitationId: string,
  ): Promise<void> {
    return this.invitations.withdraw(ctx, id, invitationId);
  }
}
