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

  /** Purpose of the dataset. */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_DESCRIPTION })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_DESCRIPTION)
  description?: string | null;

  /**
   * Instructions that a chat over the dataset gives its model, before a system message of the caller. They cannot switch off grounding or
   * citations. A chat over several datasets gives the instructions of each, with the name of the dataset. Models that only quote do not read
   * them.
   * @example "Answer in two sentences. Call the product by its full name."
   */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_INSTRUCTIONS })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_INSTRUCTIONS)
  instructions?: string | null;

  /**
   * What an upload does if the dataset has a document of the same name (the `path`, where there is one) with other content. `keep_both`: it
   * adds another document, with the warning `SAME_NAME`. `new_revision`: it adds a revision to that document. `on_same_name` of an upload
   * takes precedence.
   */
  @ApiPropertyOptional({ enum: ON_SAME_NAME, default: 'keep_both' })
  @IfPresent()
  @IsIn(ON_SAME_NAME)
  on_same_name?: OnSameName;

  /** Who sees the dataset: its owner, all members of the tenant, or its owner and the accounts of `partial_member_list`. */
  @ApiPropertyOptional({ enum: DATASET_ACLS, default: 'only_me' })
  @IfPresent()
  @IsIn(DATASET_ACLS)
  acl?: DatasetAcl;

  /**
   * Identifiers of the accounts, members of the tenant, that see the dataset while `acl` is `partial_members`. With another `acl` the list is
   * kept without effect.
   */
  @ApiPropertyOptional({ type: [String], format: 'uuid', maxItems: MAX_MEMBERS })
  @IfPresent()
  @IsArray()
  @ArrayMaxSize(MAX_MEMBERS)
  @IsUUID(undefined, { each: true })
  partial_member_list?: string[];

  /** Identifiers of the categories of the dataset. */
  @ApiPropertyOptional({ type: [String], format: 'uuid', maxItems: MAX_CATEGORIES_OF_DATASET })
  @IfPresent()
  @IsArray()
  @ArrayMaxSize(MAX_CATEGORIES_OF_DATASET)
  @IsUUID(undefined, { each: true })
  category_ids?: string[];

  /** Metadata of the dataset: a JSON object of at most 64 KiB. */
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

  /** Purpose of the clone; left out: the description of the cloned dataset. */
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
   * Instructions that a chat over the dataset gives its model, before a system message of the caller. They cannot switch off grounding or
   * citations. A chat over several datasets gives the instructions of each, with the name of the dataset. Models that only quote do not read
   * them. null removes them.
   * @example "Answer in two sentences. Call the product by its full name."
   */
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_INSTRUCTIONS })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_INSTRUCTIONS)
  instructions?: string | null;

  /**
   * What an upload does if the dataset has a document of the same name (the `path`, where there is one) with other content. `keep_both`: it
   * adds another document, with the warning `SAME_NAME`. `new_revision`: it adds a revision to that document. `on_same_name` of an upload
   * takes precedence.
   */
  @ApiPropertyOptional({ enum: ON_SAME_NAME })
  @IfPresent()
  @IsIn(ON_SAME_NAME)
  on_same_name?: OnSameName;

  /** Who sees the dataset. Only the owner or an administrator may change it. */
  @ApiPropertyOptional({ enum: DATASET_ACLS })
  @IfPresent()
  @IsIn(DATASET_ACLS)
  acl?: DatasetAcl;

  /** Identifiers of the accounts that see the dataset while `acl` is `partial_members`. Only the owner or an administrator may change the list. */
  @ApiPropertyOptional({ type: [String], format: 'uuid', maxItems: MAX_MEMBERS })
  @IfPresent()
  @IsArray()
  @ArrayMaxSize(MAX_MEMBERS)
  @IsUUID(undefined, { each: true })
  partial_member_list?: string[];

  /** Identifiers of all categories of the dataset; replaces the present ones. */
  @ApiPropertyOptional({ type: [String], format: 'uuid', maxItems: MAX_CATEGORIES_OF_DATASET })
  @IfPresent()
  @IsArray()
  @ArrayMaxSize(MAX_CATEGORIES_OF_DATASET)
  @IsUUID(undefined, { each: true })
  category_ids?: string[];

  /** Metadata to merge into the present metadata, at every level. null as a value removes the key; null instead of the object removes all metadata. */
  @ApiPropertyOptional({ ...METADATA, nullable: true })
  @AsSent()
  @IsOptional()
  @IsMetadata()
  metadata?: JsonObject | null;
}
