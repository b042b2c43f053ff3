import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsOptional, IsUUID } from 'class-validator';
import { Answer, Choice, Choices, Instant, PageOf } from '#libs/http';
import { ROLES, SCOPES, type Permission, type Role } from '#libs/tenancy';
import { Name } from '../record/request-fields.dto.js';

const MAX_SCOPES = 64;
const MAX_DATASETS = 500;

/** A new API key. A request with it has the permissions that its account, `role` and `scopes` have in common, for `dataset_ids` only. */
export class CreateApiKeyDto {
  /**
   * Name of the key, for example its purpose.
   * @example "Nightly import"
   */
  @Name()
  name!: string;

  /** Role that limits the key; left out or null: the role of the account. */
  @Choice(ROLES, { optional: true, nullable: true })
  role?: Role | null;

  /** Permissions of the key; the account must have each of them. An empty list grants none. */
  @Choices(SCOPES, { max: MAX_SCOPES, example: ['datasets:read', 'retrieval:search'] })
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
  @Instant({ optional: true, nullable: true })
  expires_at?: string | null;
}

/** An API key without its secret. */
export class ApiKey {
  /** Identifier of the API key. */
  @Answer.Uuid()
  id!: string;

  /** Name of the key. */
  @Answer.Text()
  name!: string;

  /** Role that limits the key; null: the role of the account. */
  @Answer.Choice(ROLES, { nullable: true })
  role!: Role | null;

  /** Permissions of the key; only those that the account has too take effect. */
  @Answer.Texts({ example: ['datasets:read', 'retrieval:search'] })
  scopes!: string[];

  /** Identifiers of the only datasets that the key can access; null: all that the account sees. */
  @ApiProperty({ type: 'array', items: { type: 'string', format: 'uuid' }, nullable: true })
  dataset_ids!: string[] | null;

  /** Time when the key expires; null: never. */
  @Answer.Instant({ nullable: true })
  expires_at!: string | null;

  /** Time of creation. */
  @Answer.Instant()
  created_at!: string;

  /** Time when the key was last used, to the minute; null: never. */
  @Answer.Instant({ nullable: true })
  last_used_at!: string | null;
}

/** A new key with its secret. */
export class CreatedApiKey extends ApiKey {
  /** The whole key, `kb_<id>_<secret>`, shown only in this answer. Send it as `X-API-Key` or as a bearer token. */
  @Answer.Text()
  secret!: string;
}

/** A page of API keys. */
export class ApiKeyPage extends PageOf(ApiKey, {
  items: 'The keys of this page.',
  total: 'Total number of API keys.',
  least: null,
}) {}
