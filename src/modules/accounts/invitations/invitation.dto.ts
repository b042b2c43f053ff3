import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString, MaxLength } from 'class-validator';
import { ROLES, type Role } from '#libs/tenancy';
import { IfPresent } from '#libs/http';
import { EMAIL_SCHEMA, IsEmailAddress, IsNewPassword, PASSWORD_SCHEMA } from '../record/request-fields.js';

const MAX_SECRET_LENGTH = 256;

/** Who is invited. */
export class InviteMemberDto {
  /**
   * E-mail address of the invited.
   * @example "someone@example.com"
   */
  @ApiProperty(EMAIL_SCHEMA)
  @IsEmailAddress()
  email!: string;

  /** Role in the tenant, none above the caller's own. */
  @ApiProperty({ enum: ROLES })
  @IsIn(ROLES)
  role!: Role;

  /**
   * Makes an account of this tenant at once, whose first login accepts this invitation. 8 to 128 characters and hard to guess.
   */
  @ApiPropertyOptional(PASSWORD_SCHEMA)
  @IfPresent()
  @IsNewPassword()
  password?: string;
}

/** An invitation that was just made. It says the same whether the address has an account or not. */
export class NewInvitationDto {
  /** The invitation. */
  @ApiProperty({ type: String, format: 'uuid' })
  invitation_id!: string;

  /** E-mail address of the invited. */
  @ApiProperty({ type: String })
  email!: string;

  /** Role in the tenant after acceptance. */
  @ApiProperty({ enum: ROLES })
  role!: Role;

  /** State of the invitation. */
  @ApiProperty({ enum: ['invited'] })
  status!: 'invited';

  /** For the invited, at `POST /auth/invitations/accept`. Shown this once: an answer that is repeated for an `Idempotency-Key` lacks it. */
  @ApiPropertyOptional({ type: String })
  secret?: string;

  /** Until when it can be accepted. */
  @ApiProperty({ type: String, format: 'date-time' })
  expires_at!: string;
}

/** An open invitation of a tenant. */
export class TenantInvitation {
  /** The invitation. */
  @ApiProperty({ type: String, format: 'uuid' })
  invitation_id!: string;

  /** E-mail address of the invited. */
  @ApiProperty({ type: String })
  email!: string;

  /** Role in the tenant after acceptance. */
  @ApiProperty({ enum: ROLES })
  role!: Role;

  /** Whether it can still be accepted. */
  @ApiProperty({ enum: ['invited', 'expired'] })
  status!: 'invited' | 'expired';

  /** Account that invited. */
  @ApiProperty({ type: String, format: 'uuid' })
  invited_by!: string;

  /** When it was made. */
  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  /** Until when it can be accepted. */
  @ApiProperty({ type: String, format: 'date-time' })
  expires_at!: string;
}

/** A page of the open invitations of a tenant. */
export class TenantInvitationPage {
  /** The invitations of this page. */
  @ApiProperty({ type: [TenantInvitation] })
  items!: TenantInvitation[];

  /** How many there are in all. */
  @ApiProperty({ type: 'integer' })
  total!: number;

  /** How many were left out at the beginning. */
  @ApiProperty({ type: 'integer' })
  skip!: number;

  /** How many there are at most. */
  @ApiProperty({ type: 'integer' })
  limit!: number;
}

/** An invitation for an address of the caller that its issuer or an administrator of the installation has given. Accepting it takes its secret, which the inviter has. */
export class OwnInvitation {
  /** The invitation. */
  @ApiProperty({ type: String, format: 'uuid' })
  invitation_id!: string;

  /** Tenant that it leads into. */
  @ApiProperty({ type: String, format: 'uuid' })
  tenant_id!: string;

  /** Name of that tenant. */
  @ApiProperty({ type: String })
  tenant_name!: string;

  /** Role in the tenant after acceptance. */
  @ApiProperty({ enum: ROLES })
  role!: Role;

  /** When it was made. */
  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  /** Until when it can be accepted. */
  @ApiProperty({ type: String, format: 'date-time' })
  expires_at!: string;
}

/** A page of invitations for the caller's own address. */
export class OwnInvitationPage {
  /** The invitations of this page. */
  @ApiProperty({ type: [OwnInvitation] })
  items!: OwnInvitation[];

  /** How many there are in all. */
  @ApiProperty({ type: 'integer' })
  total!: number;

  /** How many were left out at the beginning. */
  @ApiProperty({ type: 'integer' })
  skip!: number;

  /** How many there are at most. */
  @ApiProperty({ type: 'integer' })
  limit!: number;
}

/** An invitation that somebody looks at. */
export class PreviewInvitationDto {
  /** Secret of the invitation, `kbi_…`. */
  @ApiProperty({ type: String, maxLength: MAX_SECRET_LENGTH })
  @IsString()
  @MaxLength(MAX_SECRET_LENGTH)
  secret!: string;
}

/** What an invitation leads to, for who has its secret. */
export class InvitationPreview {
  /** Name of the tenant that it leads into. */
  @ApiProperty({ type: String })
  tenant_name!: string;

  /** Name of the account that invited; null: that is gone. */
  @ApiProperty({ type: String, nullable: true })
  inviter_name!: string | null;

  /** E-mail address of the invited. */
  @ApiProperty({ type: String })
  email!: string;

  /** Role in the tenant after acceptance. */
  @ApiProperty({ enum: ROLES })
  role!: Role;

  /** Until when it can be accepted. */
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

  /** Password of the account that is made; only without a credential. 8 to 128 characters and hard to guess. */
  @ApiPropertyOptional(PASSWORD_SCHEMA)
  @IfPresent()
  @IsNewPassword()
  password?: string;
}

/** A membership that began with an invitation. */
export class AcceptedInvitation {
  /** The tenant. */
  @ApiProperty({ type: String, format: 'uuid' })
  tenant_id!: string;

  /** The account that joined it. */
  @ApiProperty({ type: String, format: 'uuid' })
  account_id!: string;

  /** Its role there. */
  @ApiProperty({ enum: ROLES })
  role!: Role;
}
