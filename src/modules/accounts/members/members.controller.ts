import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiConsumes, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ShownOnce } from '#libs/http';
import { Ctx, Permit, type RequestContext } from '#libs/tenancy';
import { AccountsListQuery } from '../record/list-query.dto.js';
import { InviteMemberDto, NewInvitationDto } from '../invitations/invitation.dto.js';
import { Member, MemberPage, RemoveMemberQuery, UpdateMemberDto } from './member.dto.js';
import { InvitationsService } from '../invitations/invitations.service.js';
import { MembersService } from './members.service.js';

/** Members of the tenant that the caller acts in. An account with several tenants selects it with `X-Tenant-ID`; another tenant is 404. */
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
   * @remarks All members of the tenant.
   */
  @Get()
  @ApiOperation({ operationId: 'listMembers' })
  list(@Ctx() ctx: RequestContext, @Param('id') id: string, @Query() query: AccountsListQuery): Promise<MemberPage> {
    return this.members.list(ctx, id, query);
  }

  /**
   * Invite a member.
   * @remarks The answer is the same whether the address has an account or not. Give the secret to the invited person, who joins with it at
   * `POST /auth/invitations/accept` within 7 days. With a `password` an account of this tenant is created for the address at once, even if
   * the address has accounts elsewhere, and its first login accepts the invitation. An open invitation to the address is replaced. 409 if
   * the address belongs to a member.
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
   * @remarks Also withdraws the open invitations that the member has made. A caller can neither grant nor change a role above its own
   * (403). The last owner remains owner (409).
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
   * @remarks Ends the membership and the member's API keys of the tenant, from the next request on. 409 if the member owns datasets and
   * `transfer_to` is left out.
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
