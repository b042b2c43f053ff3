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
   * E-mail address of its owner. An account that an administrator of the installation made for it before is joined as it is; one that an
   * invitation made is not.
   * @example "owner@example.com"
   */
  @ApiProperty(EMAIL_SCHEMA)
  @IsEmailAddress()
  admin_email!: string;

  /** Password of a new account, 8 to 128 characters and hard to guess; that of a known one stays. */
  @ApiProperty(PASSWORD_SCHEMA)
  @IsNewPassword()
  admin_password!: string;
}

const AMOUNT = { nullable: true, minimum: 0 } as const;
const isGiven = (_: object, value: unknown): boolean => value !== undefined && value !== null;

/** What a tenant may take of remote models in a calendar month (UTC). */
export class TenantBudgetsDto {
  /** Tokens read and written together; null or absent: any number. */
  @ApiPropertyOptional({ type: 'integer', ...AMOUNT, example: 50_000_000 })
  @ValidateIf(isGiven)
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  monthly_tokens?: number | null;

  /** Cost by the installation's prices (`MODEL_PRICES`), in their currency; null or absent: any. */
  @ApiPropertyOptional({ type: Number, ...AMOUNT, example: 20 })
  @ValidateIf(isGiven)
  @IsNumber({ allowNaN: false, allowInfinity: false })
  @Min(0)
  @Max(1e12)
  monthly_cost?: number | null;
}

/** A change to a tenant. */
export class UpdateTenantDto {
  /** New name; left out, it stays. */
  @ApiPropertyOptional(NAME_SCHEMA)
  @ValidateIf(
    ({ name, budgets, release_needs_two: needsTwo }: UpdateTenantDto) =>
      name !== undefined || (budgets === undefined && needsTwo === undefined),
  )
  @IsName()
  name?: string;

  /** New budgets, in place of the ones before; null: none; left out, they stay. Needs `platform:tenants`. */
  @ApiPropertyOptional({ type: () => TenantBudgetsDto, nullable: true })
  @ValidateIf(isGiven)
  @IsObject()
  @ValidateNested()
  @Type(() => TenantBudgetsDto)
  budgets?: TenantBudgetsDto | null;

  /**
   * Whether the release of a document from quarantine needs two accounts: one asks, another one grants. Left out, it stays. Releases
   * that were asked for and not granted yet stay so.
   */
  @ApiPropertyOptional({ type: Boolean })
  @ValidateIf((_: object, value: unknown) => value !== undefined)
  @IsBoolean()
  release_needs_two?: boolean;
}

/** A tenant. */
export class Tenant {
  /** The tenant. */
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  /** Its name. */
  @ApiProperty({ type: String })
  name!: string;

  /** The caller's role in it; null when it has none. */
  @ApiProperty({ enum: ROLES, nullable: true, type: String })
  role!: Role | null;

  /** What it may take of remote models in a calendar month; null: as much as it wants. */
  @ApiProperty({ type: () => TenantBudgetsDto, nullable: true })
  budgets!: TenantBudgetsDto | null;

  /** Whether the release of a document from quarantine needs two accounts. */
  @ApiProperty({ type: Boolean })
  release_needs_two!: boolean;

  /** When it was made. */
  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  /** Last change. */
  @ApiProperty({ type: String, format: 'date-time' })
  updated_at!: string;
}

/** A tenant that was just made. */
export class CreatedTenant extends Tenant {
  /** The account that owns it. */
  @ApiProperty({ type: String, format: 'uuid' })
  admin_account_id!: string;
}

/** A page of tenants. */
export class TenantPage {
  /** The tenants of this page. */
  @ApiProperty({ type: [Tenant] })
  items!: Tenant[];

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
