import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsOptional, IsRFC3339, IsUUID } from 'class-validator';
import { ROLES, SCOPES, type Permission, type Role } from '#libs/tenancy';
import { IsName, NAME_SCHEMA } from '../record/request-fields.js';

const MAX_SCOPES = 64;
const MAX_DATASETS = 500;

/** A new API key. Its rights at each request are those of its account ∩ `role` ∩ `scopes` ∩ `dataset_ids`. */
export class CreateApiKeyDto {
  /**
   * Name of the key, for instance what it is used for.
   * @example "Nightly import"
   */
  @ApiProperty(NAME_SCHEMA)
  @IsName()
  name!: string;

  /** Role that limits the key; left out or null: the role of the account. */
  @ApiPropertyOptional({ enum: ROLES, nullable: true, type: String })
  @IsOptional()
  @IsIn(ROLES)
  role?: Role | null;

  /** Permissions of the key; the account must have each of them. An empty list grants none. */
  @ApiProperty({ enum: SCOPES, isArray: true, maxItems: MAX_SCOPES, example: ['datasets:read', 'retrieval:search'] })
  @IsArray()
  @ArrayMaxSize(MAX_SCOPES)
  @IsIn(SCOPES, { each: true })
  scopes!: Permission[];

  /** Identifiers of the only datasets that the key can access; left out or null: all that the account sees. */
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

  /** Time when the key expires; left out or null: never. */
  @ApiPropertyOptional({ type: String, format: 'date-time', nullable: true })
  @IsOptional()
  @IsRFC3339()
  expires_at?: string | null;
}

/** An API key without its secret. */
export class ApiKey {
  /** Identifier of the API key. */
  @ApiProperty({ type: String, format: 'uuid' })
  id!: string;

  /** Name of the key. */
  @ApiProperty({ type: String })
  name!: string;

  /** Role that limits the key; null: the role of the account. */
  @ApiProperty({ enum: ROLES, nullable: true, type: String })
  role!: Role | null;

  /** Permissions of the key; only those that the account has too take effect. */
  @ApiProperty({ type: [String], example: ['datasets:read', 'retrieval:search'] })
  scopes!: string[];

  /** Identifiers of the only datasets that the key can access; null: all that the account sees. */
  @ApiProperty({ type: 'array', items: { type: 'string', format: 'uuid' }, nullable: true })
  dataset_ids!: string[] | null;

  /** Time when the key expires; null: never. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  expires_at!: string | null;

  /** Time of creation. */
  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: string;

  /** Time when the key was last used, to the minute; null: never. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  last_used_at!: string | null;
}

/** A key that was just made, with its secret. */
export class CreatedApiKey extends ApiKey {
  /** The whole key, `kb_<id>_<secret>`, shown only in this answer. Send it as `X-API-Key` or as a bearer token. */
  @ApiProperty({ type: String })
  secret!: string;
}

/** A page of API keys. */
export class ApiKeyPage {
  /** The keys of this page. */
  @ApiProperty({ type: [ApiKey] })
  items!: ApiKey[];

  /** Total number of API keys. */
  @ApiProperty({ type: 'integer' })
  total!: number;

  /** Number of rows left out at the beginning. */
  @ApiProperty({ type: 'integer' })
  skip!: number;

  /** Maximum number of rows in a page. */
  @ApiProperty({ type: 'integer' })
  limit!: number;
}
