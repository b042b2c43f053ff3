import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';
import type { JsonObject } from '#libs/common';
import { AsSent, IfPresent } from '#libs/http';
import { DATASET_ACLS, ON_SAME_NAME, type DatasetAcl, type OnSameName } from './dataset.entity.js';
import { DISPLAY_NAME_SCHEMA as NAME, IsDisplayName } from './display-name.js';
import { IsMetadata } from './dataset-metadata.js';

export const MAX_MEMBERS = 500;
export const MAX_CATEGORIES_OF_DATASET = 100;
const MAX_DESCRIPTION = 4096;
const MAX_INSTRUCTIONS = 8000;

const METADATA = { type: 'object', additionalProperties: true } as const;

/** A new dataset. */
export class CreateDatasetRequest {
  /**
   * Name, unique in the tenant without regard to case; white space around it is removed.
   * @example "Product manuals"
   */
  @ApiProperty(NAME)
  @IsDisplayName()
  name!: string;

  /** What the dataset is for. */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_DESCRIPTION })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_DESCRIPTION)
  description?: string | null;

  /**
   * What a chat over the dataset tells its model, before a system message of the caller. It cannot lift grounding or citations. Chats over
   * several datasets tell it each, with the dataset's name. Models that only quote do not read it.
   * @example "Answer in two sentences. Call the product by its full name."
   */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_INSTRUCTIONS })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_INSTRUCTIONS)
  instructions?: string | null;

  /**
   * What becomes of an uploaded file when the dataset holds a document of the same name with another content (the name is the `path` where
   * there is one): another document with the warning `SAME_NAME`, or the next revision of that document. An upload may say otherwise
   * (`on_same_name`).
   */
  @ApiPropertyOptional({ enum: ON_SAME_NAME, default: 'keep_both' })
  @IfPresent()
  @IsIn(ON_SAME_NAME)
  on_same_name?: OnSameName;

  /** Who sees it: the owner only, everyone in the tenant, or the owner and `partial_member_list`. */
  @ApiPropertyOptional({ enum: DATASET_ACLS, default: 'only_me' })
  @IfPresent()
  @IsIn(DATASET_ACLS)
  acl?: DatasetAcl;

  /** Accounts that see it while `acl` is `partial_members`; members of the tenant. Kept, without effect, under another `acl`. */
  @ApiPropertyOptional({ type: [String], format: 'uuid', maxItems: MAX_MEMBERS })
  @IfPresent()
  @IsArray()
  @ArrayMaxSize(MAX_MEMBERS)
  @IsUUID(undefined, { each: true })
  partial_member_list?: string[];

  /** Categories that it belongs to. */
  @ApiPropertyOptional({ type: [String], format: 'uuid', maxItems: MAX_CATEGORIES_OF_DATASET })
  @IfPresent()
  @IsArray()
  @ArrayMaxSize(MAX_CATEGORIES_OF_DATASET)
  @IsUUID(undefined, { each: true })
  category_ids?: string[];

  /** Anything worth knowing about it: a JSON object of at most 64 KiB. */
  @ApiPropertyOptional(METADATA)
  @AsSent()
  @IfPresent()
  @IsMetadata()
  metadata?: JsonObject;
}

/** What a clone is called. */
export class CloneDatasetRequest {
  /**
   * Name, unique in the tenant without regard to case; white space around it is removed.
   * @example "Product manuals, next year"
   */
  @ApiProperty(NAME)
  @IsDisplayName()
  name!: string;

  /** What the clone is for; left out: as the dataset that is cloned. */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_DESCRIPTION })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_DESCRIPTION)
  description?: string | null;
}

/** A change to a dataset (JSON Merge Patch, RFC 7396): what is left out stays. */
export class UpdateDatasetRequest {
  /** New name. */
  @ApiPropertyOptional(NAME)
  @IfPresent()
  @IsDisplayName()
  name?: string;

  /** New description; null removes it. */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_DESCRIPTION })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_DESCRIPTION)
  description?: string | null;

  /**
   * What a chat over the dataset tells its model, before a system message of the caller. It cannot lift grounding or citations. Chats over
   * several datasets tell it each, with the dataset's name. Models that only quote do not read it. null removes it.
   * @example "Answer in two sentences. Call the product by its full name."
   */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_INSTRUCTIONS })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_INSTRUCTIONS)
  instructions?: string | null;

  /**
   * What becomes of an uploaded file when the dataset holds a document of the same name with another content (the name is the `path` where
   * there is one): another document with the warning `SAME_NAME`, or the next revision of that document. An upload may say otherwise
   * (`on_same_name`).
   */
  @ApiPropertyOptional({ enum: ON_SAME_NAME })
  @IfPresent()
  @IsIn(ON_SAME_NAME)
  on_same_name?: OnSameName;

  /** Who sees it. Only the owner or an administrator may change it. */
  @ApiPropertyOptional({ enum: DATASET_ACLS })
  @IfPresent()
  @IsIn(DATASET_ACLS)
  acl?: DatasetAcl;

  /** Accounts that see it while `acl` is `partial_members`. Only the owner or an administrator may change it. */
  @ApiPropertyOptional({ type: [String], format: 'uuid', maxItems: MAX_MEMBERS })
  @IfPresent()
  @IsArray()
  @ArrayMaxSize(MAX_MEMBERS)
  @IsUUID(undefined, { each: true })
  partial_member_list?: string[];

  /** Categories that it belongs to, all of them. */
  @ApiPropertyOptional({ type: [String], format: 'uuid', maxItems: MAX_CATEGORIES_OF_DATASET })
  @IfPresent()
  @IsArray()
  @ArrayMaxSize(MAX_CATEGORIES_OF_DATASET)
  @IsUUID(undefined, { each: true })
  category_ids?: string[];

  /** Merged into the present metadata, at every level; null removes a key, and null as a whole removes all. */
  @ApiPropertyOptional({ ...METADATA, nullable: true })
  @AsSent()
  @IsOptional()
  @IsMetadata()
  metadata?: JsonObject | null;
}
