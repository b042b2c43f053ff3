import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiConsumes, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ShownOnce } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { AccountsListQuery } from '../record/list-query.dto.js';
import { InviteMemberDto, NewInvitationDto } from '../invitations/invitation.dto.js';
import { Member, MemberPage, RemoveMemberQuery, UpdateMemberDto } from './member.dto.js';
import { InvitationsService } from '../invitations/invitations.service.js';
import { MembersService } from './members.service.js';

/** Members of the tenant that the caller acts in; an account with several tenants selects it with `X-Tenant-ID`, else 404. */
@ApiTags('Tenants')
@Controller('tenants/:id/members')
@Permit('members:manage', { tenantParameter: 'id' })
export class MembersController {
  constructor(
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
  ) {}

  /**
   * List members.
   * @remarks Who belongs to the tenant.
   */
  @Get()
  @ApiOperation({ operationId: 'listMembers' })
  list(@Ctx() ctx: RequestContext, @Param('id') id: string, @Query() query: AccountsListQuery): Promise<MemberPage> {
    return this.members.list(ctx, id, query);
  }

  /**
   * Invite a member.
   * @remarks Answers the same whether the address has an account or not. Hand the secret over to the invited, who joins with it at
   * `POST /auth/invitations/accept` within 7 days. With a `password` the address gets an account of this tenant at once, whose first login
   * accepts the invitation, whatever accounts it has elsewhere. An open invitation of the address is replaced. 409 for who is a member already.
   */
  @Post()
  @ShownOnce('secret')
  @ApiOperation({ operationId: 'inviteMember' })
  invite(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() wanted: InviteMemberDto,
  ): Promise<NewInvitationDto> {
    return this.invitations.invite(ctx, id, wanted);
  }

  /**
   * Change the role of a member.
   * @remarks Withdraws the member's own open invitations. Nobody grants or changes a role above his own (403); the last owner stays owner (409).
   */
  @Patch(':account_id')
  @ApiConsumes('application/json', 'application/merge-patch+json')
  @ApiOperation({ operationId: 'updateMember' })
  changeRole(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Param('account_id') accountId: string,
    @Body() { role }: UpdateMemberDto,
  ): Promise<Member> {
    return this.members.changeRole(ctx, id, accountId, role);
  }

  /**
   * Remove a member.
   * @remarks Ends the membership and the member's API keys of the tenant, at the next request. 409 when the member owns datasets and `transfer_to` names nobody.
   */
  @Delete(':account_id')
  @HttpCode(204)
  @ApiOperation({ operationId: 'removeMember' })
  remove(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Param('account_id') accountId: string,
    @Query() { transfer_to: transferTo }: RemoveMemberQuery,
  ): Promise<void> {
    return this.members.remove(ctx, id, accountId, transferTo);
  }
}
