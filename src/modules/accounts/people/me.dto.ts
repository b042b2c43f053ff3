import { ApiProperty } from '@nestjs/swagger';
import { ROLE_PERMISSIONS, ROLES, type Permission, type Role } from '#libs/tenancy';
import { IsString, MaxLength } from 'class-validator';
import { IsNewPassword, MAX_PASSWORD_LENGTH, PASSWORD_SCHEMA } from '../record/request-fields.js';

const PERMISSIONS: readonly Permission[] = [...ROLE_PERMISSIONS.owner, 'platform:tenants'];

/** A change of the account's own password. */
export class ChangePasswordDto {
  /** Current password. */
  @ApiProperty({ type: String, format: 'password', maxLength: MAX_PASSWORD_LENGTH })
  @IsString()
  @MaxLength(MAX_PASSWORD_LENGTH)
  current_password!: string;

  /** New password, 8 to 128 characters and hard to guess. */
  @ApiProperty(PASSWORD_SCHEMA)
  @IsNewPassword()
  new_password!: string;
}

/** An account. */
export class AccountDto {
  /** Identifier of the account. */
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  /** E-mail address of the account. */
  @ApiProperty({ type: String })
  email!: string;

  /** Name of the account. */
  @ApiProperty({ type: String })
  name!: string;
}

/** A tenant that the account belongs to. */
export class OwnTenantDto {
  /** Identifier of the tenant. */
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  /** Name of the tenant. */
  @ApiProperty({ type: String })
  name!: string;

  /** Role of the account in the tenant. */
  @ApiProperty({ enum: ROLES })
  role!: Role;
}

/** Who the caller is and what it may do in the tenant that it acts in. */
export class MeResponse {
  /** Account of the caller; for an API key, the account that made it. */
  @ApiProperty({ type: AccountDto })
  account!: AccountDto;

  /** Identifier of the tenant that this request acts in; null: the account belongs to no tenant. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  tenant_id!: string | null;

  /** Tenants that `X-Tenant-ID` can name, oldest membership first; for an API key only its own. */
  @ApiProperty({ type: [OwnTenantDto] })
  tenants!: OwnTenantDto[];

  /** Present permissions of the caller in `tenant_id`. */
  @ApiProperty({ enum: PERMISSIONS, isArray: true })
  permissions!: Permission[];
}
