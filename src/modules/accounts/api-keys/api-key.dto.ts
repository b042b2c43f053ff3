import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsOptional, IsRFC3339, IsUUID } from 'class-validator';
import { ROLES, SCOPES, type Permission, type Role } from '#libs/tenancy';
import { IsName, NAME_SCHEMA } from '../record/request-fields.js';

const MAX_SCOPES = 64;
const MAX_DATASETS = 500;

/** A new API key. Its rights at each request are those of its account ∩ `role` ∩ `scopes` ∩ `dataset_ids`. */
export class CreateApiKeyDto {
  /**
   * What the key is for.
   * @example "Nightly import"
   */
  @ApiProperty(NAME_SCHEMA)
  @IsName()
  name!: string;

  /** Role that bounds the key; left out: the account's own. */
  @ApiPropertyOptional({ enum: ROLES, nullable: true, type: String })
  @IsOptional()
  @IsIn(ROLES)
  role?: Role | null;

  /** Permissions of the key, each one the account's own; an empty list grants nothing. */
  @ApiProperty({ enum: SCOPES, isArray: true, maxItems: MAX_SCOPES, example: ['datasets:read', 'retrieval:search'] })
  @IsArray()
  @ArrayMaxSize(MAX_SCOPES)
  @IsIn(SCOPES, { each: true })
  scopes!: Permission[];

  /** The only datasets that the key may touch; left out: all that the account sees. */
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', format: 'uuid' },
    minItems: 1,
    maxItems: MAX_DATASETS,
    nullable: true,
  })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_DATASETS)
  @IsUUID(undefined, { each: true })
  dataset_ids?: string[] | null;

  /** When the key ends; left out: never. */
  @ApiPropertyOptional({ type: String, format: 'date-time', nullable: true })
  @IsOptional()
  @IsRFC3339()
  expires_at?: string | null;
}

/** An API key without its secret. */
export class ApiKey {
  /** The key. */
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  /** What it is for. */
  @ApiProperty({ type: String })
  name!: string;

  /** Role that bounds it; null: its account's. */
  @ApiProperty({ enum: ROLES, nullable: true, type: String })
  role!: Role | null;

  /** Its permissions, as far as its account has them too. */
  @ApiProperty({ type: [String], example: ['datasets:read', 'retrieval:search'] })
  scopes!: string[];

  /** The only datasets that it may touch; null: all that its account sees. */
  @ApiProperty({ type: 'array', items: { type: 'string', format: 'uuid' }, nullable: true })
  dataset_ids!: string[] | null;

  /** When it ends; null: never. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  expires_at!: string | null;

  /** When it was made. */
  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  /** When it was used last, to the minute; null: never. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  last_used_at!: string | null;
}

/** A key that was just made, with its secret. */
export class CreatedApiKey extends ApiKey {
  /** The whole key, `kb_<id>_<secret>`. It is shown this once; send it as `X-API-Key` or as a bearer token. */
  @ApiProperty({ type: String })
  secret!: string;
}

/** A page of API keys. */
export class ApiKeyPage {
  /** The keys of this page. */
  @ApiProperty({ type: [ApiKey] })
  items!: ApiKey[];

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
