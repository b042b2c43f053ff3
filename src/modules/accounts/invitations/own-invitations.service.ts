import { Injectable } from '@nestjs/common';
import { isUuid, type AccountId } from '#libs/common';
import { AuditLog, UnitOfWork, type TransactionContext } from '#libs/database';
import { validationFailed } from '#libs/http';
import { authErrors, type Client, type RequestContext } from '#libs/tenancy';
import type { AccountRow } from '../record/account.entity.js';
import { accountErrors } from '../accounts.errors.js';
import { AccountsRepository } from '../record/accounts.repository.js';
import { actingAccount } from '../record/acting-account.js';
import type {
  AcceptedInvitation,
  AcceptInvitationDto,
  InvitationPreview,
  OwnInvitationPage,
} from './invitation.dto.js';
import { hashInvitationSecret } from './invitation-secret.js';
import { toInvitationPreview, toOwnInvitation } from './invitation-views.js';
import { InvitationsRepository, type InvitationRow, type OwnInvitationRow } from './invitations.repository.js';
import type { ListPage } from '../record/list-order.repository.js';
import { MembersRepository } from '../record/members.repository.js';
import { OidcIdentitiesRepository } from '../identities/oidc-identities.repository.js';
import { Passwords } from '../credentials/passwords.service.js';

/**
 * Preview, acceptance and refusal of invitations by invited people. The address alone is not enough to join: the secret, or the account
 * created for the invitation, is needed. The secret alone proves nothing, because the inviter has seen it: it creates a new account and
 * does not affect other accounts of the address.
 */
@Injectable()
export class OwnInvitationsService {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly members: MembersRepository,
    private readonly accounts: AccountsRepository,
    private readonly passwords: Passwords,
    private readonly identities: OidcIdentitiesRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  async list(ctx: RequestContext, page: ListPage): Promise<OwnInvitationPage> {
    const found = await this.invitations.listOfAccount(ctx, actingAccount(ctx), page);
    return { ...found, items: found.items.map(toOwnInvitation) };
  }

  /** The preview of an invitation for a caller who has its secret. @throws `accounts.invitation_not_found` */
  async preview(secret: string): Promise<InvitationPreview> {
    const found = await this.invitations.findPreview(hashInvitationSecret(secret));
    if (found === undefined) throw accountErrors.invitation_not_found({});
    return toInvitationPreview(found);
  }

  /** @throws `accounts.invitation_not_found` */
  async decline(ctx: RequestContext, id: string): Promise<void> {
    const own = isUuid(id) ? await this.invitations.findOwn(ctx, actingAccount(ctx), id) : undefined;
    if (own === undefined) throw accountErrors.invitation_not_found({});
    await this.unitOfWork.run({ ...ctx, tenantId: own.tenant_id }, async (_manager, inner) => {
      await this.invitations.removeUnusedAccountOf(inner, own.id);
      if (!(await this.invitations.take(inner, own.id))) throw accountErrors.invitation_not_found({});
      await this.audit.append(inner, { event: 'invitation.declined', subject: `invitation:${own.id}` });
    });
  }

  /**
   * Joins the tenant with the signed-in account that has the invited address, or with a new account with the given password, which belongs
   * only to that tenant. @throws `accounts.invitation_not_found` also for another's invitation, `accounts.already_member`,
   * `accounts.password_login_off`
   */
  async accept(
    ctx: RequestContext | undefined,
    client: Client,
    { secret, password }: AcceptInvitationDto,
  ): Promise<AcceptedInvitation> {
    if (ctx !== undefined && password !== undefined) {
      const detail = 'creates a new account; leave it out when you are signed in';
      throw validationFailed([{ pointer: '/password', code: 'signed_in', detail }]);
    }
    if (ctx === undefined && password === undefined) throw authErrors.credential_missing();
    if (password !== undefined) this.passwords.refuseWhereOff();
    const invitation = await this.invitations.findBySecret(hashInvitationSecret(secret));
    if (invitation === undefined) throw accountErrors.invitation_not_found({});
    if (ctx !== undefined) return this.acceptSignedIn(ctx, invitation);
    return this.acceptAnew(invitation, password ?? '', client.requestId);
  }

  /** Accepts the invitations for the first login of an account that an invitation created. Does nothing at later logins. */
  async acceptAtFirstLogin(accountId: AccountId, client: Client): Promise<void> {
    const kept = await this.invitations.findOfFirstLogin(accountId);
    for (const invitation of kept) {
      await this.unitOfWork.run(contextIn(invitation, client.requestId), async (_manager, inner) => {
        await this.join(inner, invitation, accountId);
      });
    }
    if (kept.length > 0) await this.invitations.endFirstLoginOf(accountId);
  }

  private async acceptSignedIn(ctx: RequestContext, invitation: InvitationRow): Promise<AcceptedInvitation> {
    const account = await this.accounts.findById(ctx, actingAccount(ctx));
    if (account === undefined || !(await this.isFor(ctx, invitation, account))) {
      throw accountErrors.invitation_not_found({});
    }
    const inside = { ...ctx, tenantId: invitation.tenant_id };
    return this.unitOfWork.run(inside, async (_manager, inner) =>
      required(await this.join(inner, invitation, account.id)),
    );
  }

  /**
   * Whether the invitation is for the account's address. An account of an OpenID Connect issuer has the address that the issuer has
   * verified; if the issuer verifies none, the caller with the secret counts as the invited person.
   */
  private async isFor(ctx: RequestContext, { email }: InvitationRow, account: AccountRow): Promise<boolean> {
    const invited = email.toLowerCase();
    if (account.email.toLowerCase() === invited) return true;
    const identities = await this.identities.findOf(ctx, account.id);
    return identities.some((identity) => identity.email === null || identity.email.toLowerCase() === invited);
  }

  private async acceptAnew(
    invitation: OwnInvitationRow,
    password: string,
    requestId: string,
  ): Promise<AcceptedInvitation> {
    const ctx = contextIn(invitation, requestId);
    const { email, tenant_name: tenantName } = invitation;
    const like = await this.accounts.findHashOfAddress(ctx, email, null);
    const passwordHash = await this.passwords.hashNew('password', password, [email, tenantName], like);
    return this.unitOfWork.run(ctx, async (_manager, inner) => {
      await this.members.lock(inner);
      if ((await this.members.findByEmail(inner, email)) !== undefined) throw accountErrors.already_member({ email });
      await this.invitations.removeUnusedAccountOf(inner, invitation.id);
      const accountId = await this.accounts.insert(inner, { email, passwordHash });
      return required(await this.join(inner, invitation, accountId));
    });
  }

  /** An existing membership is not changed. Undefined when another request was faster, or the invitation has expired. */
  private async join(
    ctx: TransactionContext,
    invitation: InvitationRow,
    joining: AccountId,
  ): Promise<AcceptedInvitation | undefined> {
    await this.members.lock(ctx);
    if (!(await this.invitations.take(ctx, invitation.id))) return undefined;
    const { tenant_id: tenantId, role } = invitation;
    const known = await this.members.findOfPerson(ctx, joining);
    if (known !== undefined) return { tenant_id: tenantId, account_id: known.account_id, role: known.role };
    const accountId = await this.accounts.findMain(ctx, joining);
    await this.members.insert(ctx, tenantId, accountId, role);
    await this.accounts.defaultTo(ctx, accountId, tenantId);
    await this.audit.append(ctx, {
      event: 'member.added',
      subject: `account:${accountId}`,
      details: { role, invitation_id: invitation.id, invited_by: invitation.invited_by },
    });
    return { tenant_id: tenantId, account_id: accountId, role };
  }
}

function required(accepted: AcceptedInvitation | undefined): AcceptedInvitation {
  if (accepted === undefined) throw accountErrors.invitation_not_found({});
  return accepted;
}

/** The caller is not known yet, so the service acts in the tenant of the invitation. */
function contextIn(invitation: InvitationRow, requestId: string): RequestContext {
  return { tenantId: invitation.tenant_id, principal: { kind: 'system', permissions: new Set() }, requestId };
}
