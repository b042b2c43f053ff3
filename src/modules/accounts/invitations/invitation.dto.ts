import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString, MaxLength } from 'class-validator';
import { ROLES, type Role } from '#libs/tenancy';
import { IfPresent } from '#libs/http';
import { EMAIL_SCHEMA, IsEmailAddress, IsNewPassword, PASSWORD_SCHEMA } from '../record/request-fields.js';

const MAX_SECRET_LENGTH = 256;

/** Who is invited. */
export class InviteMemberDto {
  /**
   * E-mail address of the invited person.
   * @example "someone@example.com"
   */
  @ApiProperty(EMAIL_SCHEMA)
  @IsEmailAddress()
  email!: string;

  /** Role in the tenant; not above the caller's own. */
  @ApiProperty({ enum: ROLES })
  @IsIn(ROLES)
  role!: Role;

  /** Password, 8 to 128 characters and hard to guess. With it an account of this tenant is made at once, and its first login accepts the invitation. */
  @ApiPropertyOptional(PASSWORD_SCHEMA)
  @IfPresent()
  @IsNewPassword()
  password?: string;
}

/** An invitation that was just made. It says the same whether the address has an account or not. */
export class NewInvitationDto {
  /** Identifier of the invitation. */
  @ApiProperty({ type: String, format: 'uuid' })
  invitation_id!: string;

  /** E-mail address of the invited person. */
  @ApiProperty({ type: String })
  email!: string;

  /** Role in the tenant after acceptance. */
  @ApiProperty({ enum: ROLES })
  role!: Role;

  /** Status of the invitation. */
  @ApiProperty({ enum: ['invited'] })
  status!: 'invited';

  /**
   * Secret for the invited person, to be used at `POST /auth/invitations/accept`. Shown only in this answer: an answer repeated for an
   * `Idempotency-Key` does not contain it.
   */
  @ApiPropertyOptional({ type: String })
  secret?: string;

  /** Time until which the invitation can be accepted. */
  @ApiProperty({ type: String, format: 'date-time' })
  expires_at!: string;
}

/** An open invitation of a tenant. */
export class TenantInvitation {
  /** Identifier of the invitation. */
  @ApiProperty({ type: String, format: 'uuid' })
  invitation_id!: string;

  /** E-mail address of the invited person. */
  @ApiProperty({ type: String })
  email!: string;

  /** Role in the tenant after acceptance. */
  @ApiProperty({ enum: ROLES })
  role!: Role;

  /** Whether the invitation can still be accepted (`invited`) or not (`expired`). */
  @ApiProperty({ enum: ['invited', 'expired'] })
  status!: 'invited' | 'expired';

  /** Identifier of the account that made the invitation. */
  @ApiProperty({ type: String, format: 'uuid' })
  invited_by!: string;

  /** Time of creation. */
  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  /** Time until which the invitation can be accepted. */
  @ApiProperty({ type: String, format: 'date-time' })
  expires_at!: string;
}

/** A page of the open invitations of a tenant. */
export class TenantInvitationPage {
  /** The invitations of this page. */
  @ApiProperty({ type: [TenantInvitation] })
  items!: TenantInvitation[];

  /** Total number of open invitations. */
  @ApiProperty({ type: 'integer' })
  total!: number;

  /** Number of rows left out at the beginning. */
  @ApiProperty({ type: 'integer' })
  skip!: number;

  /** Maximum number of rows in a page. */
  @ApiProperty({ type: 'integer' })
  limit!: number;
}

/** An invitation for an address of the caller that its issuer or an administrator of the installation has given. Accepting it takes its secret, which the inviter has. */
export class OwnInvitation {
  /** Identifier of the invitation. */
  @ApiProperty({ type: String, format: 'uuid' })
  invitation_id!: string;

  /** Identifier of the tenant that the invitation is for. */
  @ApiProperty({ type: String, format: 'uuid' })
  tenant_id!: string;

  /** Name of the tenant that the invitation is for. */
  @ApiProperty({ type: String })
  tenant_name!: string;

  /** Role in the tenant after acceptance. */
  @ApiProperty({ enum: ROLES })
  role!: Role;

  /** Time of creation. */
  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  /** Time until which the invitation can be accepted. */
  @ApiProperty({ type: String, format: 'date-time' })
  expires_at!: string;
}

/** A page of invitations for the caller's own address. */
export class OwnInvitationPage {
  /** The invitations of this page. */
  @ApiProperty({ type: [OwnInvitation] })
  items!: OwnInvitation[];

  /** Total number of invitations. */
  @ApiProperty({ type: 'integer' })
  total!: number;

  /** Number of rows left out at the beginning. */
  @ApiProperty({ type: 'integer' })
  skip!: number;

  /** Maximum number of rows in a page. */
  @ApiProperty({ type: 'integer' })
  limit!: number;
}

/** Preview of an invitation. */
export class PreviewInvitationDto {
  /** Secret of the invitation, `kbi_…`. */
  @ApiProperty({ type: String, maxLength: MAX_SECRET_LENGTH })
  @IsString()
  @MaxLength(MAX_SECRET_LENGTH)
  secret!: string;
}

/** What an invitation leads to, for who has its secret. */
export class InvitationPreview {
  /** Name of the tenant that the invitation is for. */
  @ApiProperty({ type: String })
  tenant_name!: string;

  /** Name of the account that made the invitation; null: the account has been removed. */
  @ApiProperty({ type: String, nullable: true })
  inviter_name!: string | null;

  /** E-mail address of the invited person. */
  @ApiProperty({ type: String })
  email!: string;

  /** Role in the tenant after acceptance. */
  @ApiProperty({ enum: ROLES })
  role!: Role;

  /** Time until which the invitation can be accepted. */
  @ApiProperty({ type: String, format: 'date-time' })
  expires_at!: string;
}

/** Acceptance of an invitation. */
export class AcceptInvitationDto {
  /** Secret of the invitation, `kbi_…`. */
  @ApiProperty({ type: String, maxLength: MAX_SECRET_LENGTH })
  @IsString()
  @MaxLength(MAX_SECRET_LENGTH)
  secret!: string;

  /** Password of the new account, 8 to 128 characters and hard to guess; only for requests without a credential. */
  @ApiPropertyOptional(PASSWORD_SCHEMA)
  @IfPresent()
  @IsNewPassword()
  password?: string;
}

/** A membership that began with an invitation. */
export class AcceptedInvitation {
  /** Identifier of the tenant. */
  @ApiProperty({ type: String, format: 'uuid' })
  tenant_id!: string;

  /** Identifier of the account that joined the tenant. */
  @ApiProperty({ type: String, format: 'uuid' })
  account_id!: string;

  /** Role of the account in the tenant. */
  @ApiProperty({ enum: ROLES })
  role!: Role;
}
