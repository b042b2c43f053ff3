import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsNumber, IsObject, Max, Min, ValidateIf, ValidateNested } from 'class-validator';
import { Answer, Flag, PageOf } from '#libs/http';
import { ROLES, type Role } from '#libs/tenancy';
import { EmailAddress, IsName, Name, NAME_SCHEMA, NewPassword } from '../record/request-fields.dto.js';

/** A new tenant and its owner. */
export class CreateTenantDto {
  /**
   * Name of the tenant; white space around it is removed.
   * @example "Example Ltd"
   */
  @Name()
  name!: string;

  /**
   * E-mail address of the owner. If the settings or a caller with `platform:tenants` created an account for this address, it becomes the
   * owner; an account that an invitation created does not.
   * @example "owner@example.com"
   */
  @EmailAddress()
  admin_email!: string;

  /** Password of a new account, 8 to 128 characters and hard to guess; an existing account keeps its password. */
  @NewPassword()
  admin_password!: string;
}

const AMOUNT = { nullable: true, minimum: 0 } as const;
const isGiven = (_: object, value: unknown): boolean => value !== undefined && value !== null;

/** Limits on the tenant's use of remote models in a calendar month (UTC). */
export class TenantBudgetsDto {
  /** Maximum number of tokens that models read and write; null or absent: no limit. */
  @ApiPropertyOptional({ type: 'integer', ...AMOUNT, example: 50_000_000 })
  @ValidateIf(isGiven)
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  monthly_tokens?: number | null;

  /** Maximum cost by the prices in `MODEL_PRICES`, in the currency of that setting; null or absent: no limit. */
  @ApiPropertyOptional({ type: Number, ...AMOUNT, example: 20 })
  @ValidateIf(isGiven)
  @IsNumber({ allowNaN: false, allowInfinity: false })
  @Min(0)
  @Max(1e12)
  monthly_cost?: number | null;
}

/** A change to a tenant. */
export class UpdateTenantDto {
  /** New name; left out: unchanged. */
  @ApiPropertyOptional(NAME_SCHEMA)
  @ValidateIf(
    ({ name, budgets, release_needs_two: needsTwo }: UpdateTenantDto) =>
      name !== undefined || (budgets === undefined && needsTwo === undefined),
  )
  @IsName()
  name?: string;

  /** New budgets, which replace the present ones; null: no budgets; left out: unchanged. Needs `platform:tenants`. */
  @ApiPropertyOptional({ type: () => TenantBudgetsDto, nullable: true })
  @ValidateIf(isGiven)
  @IsObject()
  @ValidateNested()
  @Type(() => TenantBudgetsDto)
  budgets?: TenantBudgetsDto | null;

  /**
   * Whether the release of a document from quarantine needs two accounts, one that requests and one that grants it; left out: unchanged.
   * Releases that already wait for a second account continue to wait.
   */
  @Flag({ optional: true })
  release_needs_two?: boolean;
}

/** A tenant. */
export class Tenant {
  /** Identifier of the tenant. */
  @Answer.Uuid()
  id!: string;

  /** Name of the tenant. */
  @Answer.Text()
  name!: string;

  /** Role of the caller in the tenant; null: none. */
  @Answer.Choice(ROLES, { nullable: true })
  role!: Role | null;

  /** Limits on the tenant's use of remote models in a calendar month (UTC); null: no limits. */
  @Answer.Nested(() => TenantBudgetsDto, { nullable: true })
  budgets!: TenantBudgetsDto | null;

  /** Whether the release of a document from quarantine needs two accounts. */
  @Answer.Flag()
  release_needs_two!: boolean;

  /** Time of creation. */
  @Answer.Instant()
  created_at!: string;

  /** Time of the last change. */
  @Answer.Instant()
  updated_at!: string;
}

/** A new tenant. */
export class CreatedTenant extends Tenant {
  /** Identifier of the account that owns the tenant. */
  @Answer.Uuid()
  admin_account_id!: string;
}

/** A page of tenants. */
export class TenantPage extends PageOf(Tenant, {
  items: 'The tenants of this page.',
  total: 'Total number of tenants.',
  least: null,
}) {}
