import { ROLES, type Role } from '#libs/tenancy';
import { Answer, Choice, PageOf, Text } from '#libs/http';
import { EmailAddress, NewPassword } from '../record/request-fields.dto.js';

const MAX_SECRET_LENGTH = 256;

/** The person to invite. */
export class InviteMemberDto {
  /**
   * E-mail address of the invited person.
   * @example "someone@example.com"
   */
  @EmailAddress()
  email!: string;

  /** Role in the tenant; not above the caller's own. */
  @Choice(ROLES)
  role!: Role;

  /**
   * Password, 8 to 128 characters and hard to guess. If it is sent, an account of this tenant is created at once, and its first login
   * accepts the invitation.
   */
  @NewPassword({ optional: true })
  password?: string;
}

/** A new invitation. It does not reveal whether the address has an account. */
export class NewInvitationDto {
  /** Identifier of the invitation. */
  @Answer.Uuid()
  invitation_id!: string;

  /** E-mail address of the invited person. */
  @Answer.Text()
  email!: string;

  /** Role in the tenant after acceptance. */
  @Answer.Choice(ROLES)
  role!: Role;

  /** Status of the invitation. */
  @Answer.Choice(['invited'])
  status!: 'invited';

  /**
   * Secret for the invited person, to be used at `POST /auth/invitations/accept`. Shown only in this answer: an answer repeated for an
   * `Idempotency-Key` does not contain it.
   */
  @Answer.Text({ optional: true })
  secret?: string;

  /** Time until which the invitation can be accepted. */
  @Answer.Instant()
  expires_at!: string;
}

/** An open invitation of a tenant. */
export class TenantInvitation {
  /** Identifier of the invitation. */
  @Answer.Uuid()
  invitation_id!: string;

  /** E-mail address of the invited person. */
  @Answer.Text()
  email!: string;

  /** Role in the tenant after acceptance. */
  @Answer.Choice(ROLES)
  role!: Role;

  /** Whether the invitation can still be accepted (`invited`) or not (`expired`). */
  @Answer.Choice(['invited', 'expired'])
  status!: 'invited' | 'expired';

  /** Identifier of the account that made the invitation. */
  @Answer.Uuid()
  invited_by!: string;

  /** Time of creation. */
  @Answer.Instant()
  created_at!: string;

  /** Time until which the invitation can be accepted. */
  @Answer.Instant()
  expires_at!: string;
}

/** A page of the open invitations of a tenant. */
export class TenantInvitationPage extends PageOf(TenantInvitation, {
  items: 'The invitations of this page.',
  total: 'Total number of open invitations.',
  least: null,
}) {}

/**
 * An invitation to an address that the issuer or an administrator of the installation gave the caller. Accepting it needs its secret, which
 * the inviter has.
 */
export class OwnInvitation {
  /** Identifier of the invitation. */
  @Answer.Uuid()
  invitation_id!: string;

  /** Identifier of the tenant that the invitation is for. */
  @Answer.Uuid()
  tenant_id!: string;

  /** Name of the tenant that the invitation is for. */
  @Answer.Text()
  tenant_name!: string;

  /** Role in the tenant after acceptance. */
  @Answer.Choice(ROLES)
  role!: Role;

  /** Time of creation. */
  @Answer.Instant()
  created_at!: string;

  /** Time until which the invitation can be accepted. */
  @Answer.Instant()
  expires_at!: string;
}

/** A page of invitations for the caller's own address. */
export class OwnInvitationPage extends PageOf(OwnInvitation, {
  items: 'The invitations of this page.',
  total: 'Total number of invitations.',
  least: null,
}) {}

/** Preview of an invitation. */
export class PreviewInvitationDto {
  /** Secret of the invitation, `kbi_…`. */
  @Text({ max: MAX_SECRET_LENGTH })
  secret!: string;
}

/** An invitation as shown to a caller who has its secret. */
export class InvitationPreview {
  /** Name of the tenant that the invitation is for. */
  @Answer.Text()
  tenant_name!: string;

  /** Name of the account that made the invitation; null: the account has been removed. */
  @Answer.Text({ nullable: true })
  inviter_name!: string | null;

  /** E-mail address of the invited person. */
  @Answer.Text()
  email!: string;

  /** Role in the tenant after acceptance. */
  @Answer.Choice(ROLES)
  role!: Role;

  /** Time until which the invitation can be accepted. */
  @Answer.Instant()
  expires_at!: string;
}

/** Acceptance of an invitation. */
export class AcceptInvitationDto extends PreviewInvitationDto {
  /** Password of the new account, 8 to 128 characters and hard to guess; only for requests without a credential. */
  @NewPassword({ optional: true })
  password?: string;
}

/** The membership that an accepted invitation created. */
export class AcceptedInvitation {
  /** Identifier of the tenant. */
  @Answer.Uuid()
  tenant_id!: string;

  /** Identifier of the account that joined the tenant. */
  @Answer.Uuid()
  account_id!: string;

  /** Role of the account in the tenant. */
  @Answer.Choice(ROLES)
  role!: Role;
}
