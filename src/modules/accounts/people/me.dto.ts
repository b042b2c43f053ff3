import { ApiProperty } from '@nestjs/swagger';
import { ROLE_PERMISSIONS, ROLES, type Permission, type Role } from '#libs/tenancy';
import { IsString, MaxLength } from 'class-validator';
import { IsNewPassword, MAX_PASSWORD_LENGTH, PASSWORD_SCHEMA } from '../record/request-fields.js';

const PERMISSIONS: readonly Permission[] = [...ROLE_PERMISSIONS.owner, 'platform:tenants'];

/** A change of the account's own password. */
export class ChangePasswordDto {
  /** The present password. */
  @ApiProperty({ type: String, format: 'password', maxLength: MAX_PASSWORD_LENGTH })
  @IsString()
  @MaxLength(MAX_PASSWORD_LENGTH)
  current_password!: string;

  /** The new one, 8 to 128 characters and hard to guess. */
  @ApiProperty(PASSWORD_SCHEMA)
  @IsNewPassword()
  new_password!: string;
}

/** An account. */
export class AccountDto {
  /** The account. */
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  /** Its e-mail address. */
  @ApiProperty({ type: String })
  email!: string;

  /** Its name. */
  @ApiProperty({ type: String })
  name!: string;
}

/** A tenant that the account belongs to. */
export class OwnTenantDto {
  /** The tenant. */
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  /** Its name. */
  @ApiProperty({ type: String })
  name!: string;

  /** The account's role in it. */
  @ApiProperty({ enum: ROLES })
  role!: Role;
}

/** Who the caller is and what it may do in the tenant that it acts in. */
export class MeResponse {
  /** The account; of an API key the one that made it. */
  @ApiProperty({ type: AccountDto })
  account!: AccountDto;

  /** The tenant that this request acts in; null for an account that belongs to none. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  tenant_id!: string | null;

  /** Tenants that `X-Tenant-ID` may name, oldest membership first; for an API key its own. */
  @ApiProperty({ type: [OwnTenantDto] })
  tenants!: OwnTenantDto[];

  /** What the caller may do in `tenant_id` now. */
  @ApiProperty({ enum: PERMISSIONS, isArray: true })
  permissions!: Permission[];
}
