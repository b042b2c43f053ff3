import { Answer, Text } from '#libs/http';
import { ROLE_PERMISSIONS, ROLES, type Permission, type Role } from '#libs/tenancy';
import { MAX_PASSWORD_LENGTH, NewPassword } from '../record/request-fields.dto.js';

const PERMISSIONS: readonly Permission[] = [...ROLE_PERMISSIONS.owner, 'platform:tenants'];

/** A change of the account's own password. */
export class ChangePasswordDto {
  /** Current password. */
  @Text({ max: MAX_PASSWORD_LENGTH, described: { format: 'password' } })
  current_password!: string;

  /** New password, 8 to 128 characters and hard to guess. */
  @NewPassword()
  new_password!: string;
}

/** An account. */
export class AccountDto {
  /** Identifier of the account. */
  @Answer.Uuid()
  id!: string;

  /** E-mail address of the account. */
  @Answer.Text()
  email!: string;

  /** Name of the account. */
  @Answer.Text()
  name!: string;
}

/** A tenant that the account belongs to. */
export class OwnTenantDto {
  /** Identifier of the tenant. */
  @Answer.Uuid()
  id!: string;

  /** Name of the tenant. */
  @Answer.Text()
  name!: string;

  /** Role of the account in the tenant. */
  @Answer.Choice(ROLES)
  role!: Role;
}

/** The caller, the tenant that it acts in, and its permissions there. */
export class MeResponse {
  /** Account of the caller; for an API key, the account that created it. */
  @Answer.Nested(AccountDto)
  account!: AccountDto;

  /** Identifier of the tenant that this request acts in; null: the account belongs to no tenant. */
  @Answer.Uuid({ nullable: true })
  tenant_id!: string | null;

  /** Tenants that `X-Tenant-ID` can name, oldest membership first; for an API key only its own. */
  @Answer.NestedList(OwnTenantDto)
  tenants!: OwnTenantDto[];

  /** Present permissions of the caller in `tenant_id`. */
  @Answer.Choices(PERMISSIONS)
  permissions!: Permission[];
}
