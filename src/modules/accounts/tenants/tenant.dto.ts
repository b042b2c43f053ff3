import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsBoolean, IsInt, IsNumber, IsObject, Max, Min, ValidateIf, ValidateNested } from 'class-validator';
import { ROLES, type Role } from '#libs/tenancy';
import {
  EMAIL_SCHEMA,
  IsEmailAddress,
  IsName,
  IsNewPassword,
  NAME_SCHEMA,
  PASSWORD_SCHEMA,
} from '../record/request-fields.js';

/** A new tenant and who owns it. */
export class CreateTenantDto {
  /**
   * Name of the tenant; white space around it is removed.
   * @example "Example Ltd"
   */
  @ApiProperty(NAME_SCHEMA)
  @IsName()
  name!: string;

  /**
   * E-mail address of the owner. An account that a caller with `platform:tenants` or the settings made for the address becomes the owner; one
   * that an invitation made does not.
   * @example "owner@example.com"
   */
  @ApiProperty(EMAIL_SCHEMA)
  @IsEmailAddress()
  admin_email!: string;

  /** Password of a new account, 8 to 128 characters and hard to guess; an account that exists keeps its own. */
  @ApiProperty(PASSWORD_SCHEMA)
  @IsNewPassword()
  admin_password!: string;
}

const AMOUNT = { nullable: true, minimum: 0 } as const;
const isGiven = (_: object, value: unknown): boolean => value !== undefined && value !== null;

/** What a tenant may take of remote models in a calendar month (UTC). */
export class TenantBudgetsDto {
  /** Maximum number of tokens, read and written together; null or absent: no limit. */
  @ApiPropertyOptional({ type: 'integer', ...AMOUNT, example: 50_000_000 })
  @ValidateIf(isGiven)
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  monthly_tokens?: number | null;

  /** Maximum cost by the prices of the installation (`MODEL_PRICES`), in their currency; null or absent: no limit. */
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
   * Whether the release of a document from quarantine needs two accounts, one that asks and one that grants; left out: unchanged. Releases
   * that wait for a second account continue to wait.
   */
  @ApiPropertyOptional({ type: Boolean })
  @ValidateIf((_: object, value: unknown) => value !== undefined)
  @IsBoolean()
  release_needs_two?: boolean;
}

/** A tenant. */
export class Tenant {
  /** Identifier of the tenant. */
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  /** Name of the tenant. */
  @ApiProperty({ type: String })
  name!: string;

  /** Role of the caller in the tenant; null: none. */
  @ApiProperty({ enum: ROLES, nullable: true, type: String })
  role!: Role | null;

  /** Limits on the tenant's use of remote models in a calendar month (UTC); null: no limits. */
  @ApiProperty({ type: () => TenantBudgetsDto, nullable: true })
  budgets!: TenantBudgetsDto | null;

  /** Whether the release of a document from quarantine needs two accounts. */
  @ApiProperty({ type: Boolean })
  release_needs_two!: boolean;

  /** Time of creation. */
  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  /** Time of the last change. */
  @ApiProperty({ type: String, format: 'date-time' })
  updated_at!: string;
}

/** A tenant that was just made. */
export class CreatedTenant extends Tenant {
  /** Identifier of the account that owns the tenant. */
  @ApiProperty({ type: String, format: 'uuid' })
  admin_account_id!: string;
}

/** A page of tenants. */
export class TenantPage {
  /** The tenants of this page. */
  @ApiProperty({ type: [Tenant] })
  items!: Tenant[];

  /** Total number of tenants. */
  @ApiProperty({ type: 'integer' })
  total!: number;

  /** Number of rows left out at the beginning. */
  @ApiProperty({ type: 'integer' })
  skip!: number;

  /** Maximum number of rows in a page. */
  @ApiProperty({ type: 'integer' })
  limit!: number;
}
