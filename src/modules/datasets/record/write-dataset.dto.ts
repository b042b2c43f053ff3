import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import type { JsonObject } from '#libs/common';
import { AsSent, Choice, IfPresent, Text, Uuids } from '#libs/http';
import { DATASET_ACLS, ON_SAME_NAME, type DatasetAcl, type OnSameName } from './dataset.entity.js';
import { DisplayName } from './display-name.js';
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
  @DisplayName()
  name!: string;

  /** Purpose of the dataset; null or left out: none. */
  @Text({ optional: true, nullable: true, max: MAX_DESCRIPTION })
  description?: string | null;

  /**
   * Instructions that a chat over the dataset gives its model, before a system message of the caller. They cannot switch off grounding or
   * citations. A chat over several datasets gives the instructions of each, with the name of the dataset. Models that only quote do not read them.
   * null or left out: none.
   * @example "Answer in two sentences. Call the product by its full name."
   */
  @Text({ optional: true, nullable: true, max: MAX_INSTRUCTIONS })
  instructions?: string | null;

  /**
   * What an upload does if the dataset has a document with the same name (or `path`, if there is one) but other content. `keep_both`: it
   * adds another document, with the warning `SAME_NAME`. `new_revision`: it adds a revision to that document. `on_same_name` of an upload
   * takes precedence.
   */
  @Choice(ON_SAME_NAME, { optional: true, default: 'keep_both' })
  on_same_name?: OnSameName;

  /** Who sees the dataset: its owner, all members of the tenant, or its owner and the accounts of `partial_member_list`. */
  @Choice(DATASET_ACLS, { optional: true, default: 'only_me' })
  acl?: DatasetAcl;

  /**
   * Identifiers of the accounts, members of the tenant, that see the dataset while `acl` is `partial_members`. With another `acl` the list
   * is stored but has no effect.
   */
  @Uuids({ optional: true, max: MAX_MEMBERS })
  partial_member_list?: string[];

  /** Identifiers of the categories of the dataset. */
  @Uuids({ optional: true, max: MAX_CATEGORIES_OF_DATASET })
  category_ids?: string[];

  /** Metadata of the dataset: a JSON object of at most 64 KiB. */
  @ApiPropertyOptional(METADATA)
  @AsSent()
  @IfPresent()
  @IsMetadata()
  metadata?: JsonObject;
}

/** Name and description of a clone. */
export class CloneDatasetRequest {
  /**
   * Name, unique in the tenant without regard to case; white space around it is removed.
   * @example "Product manuals, next year"
   */
  @DisplayName()
  name!: string;

  /** Purpose of the clone; null: none; left out: the description of the cloned dataset. */
  @Text({ optional: true, nullable: true, max: MAX_DESCRIPTION })
  description?: string | null;
}

/** A change to a dataset (JSON Merge Patch, RFC 7396); fields that are left out stay unchanged. */
export class UpdateDatasetRequest {
  /** New name. */
  @DisplayName({ optional: true })
  name?: string;

  /** New description; null removes it. */
  @Text({ optional: true, nullable: true, max: MAX_DESCRIPTION })
  description?: string | null;

  /**
   * Instructions that a chat over the dataset gives its model, before a system message of the caller. They cannot switch off grounding or
   * citations. A chat over several datasets gives the instructions of each, with the name of the dataset. Models that only quote do not read
   * them. null removes them.
   * @example "Answer in two sentences. Call the product by its full name."
   */
  @Text({ optional: true, nullable: true, max: MAX_INSTRUCTIONS })
  instructions?: string | null;

  /**
   * What an upload does if the dataset has a document with the same name (or `path`, if there is one) but other content. `keep_both`: it
   * adds another document, with the warning `SAME_NAME`. `new_revision`: it adds a revision to that document. `on_same_name` of an upload
   * takes precedence.
   */
  @Choice(ON_SAME_NAME, { optional: true })
  on_same_name?: OnSameName;

  /** Who sees the dataset. Only the owner or an administrator may change it. */
  @Choice(DATASET_ACLS, { optional: true })
  acl?: DatasetAcl;

  /** Identifiers of the accounts that see the dataset while `acl` is `partial_members`. Only the owner or an administrator may change the list. */
  @Uuids({ optional: true, max: MAX_MEMBERS })
  partial_member_list?: string[];

  /** Identifiers of all categories of the dataset; replaces the present ones. */
  @Uuids({ optional: true, max: MAX_CATEGORIES_OF_DATASET })
  category_ids?: string[];

  /** Metadata to merge into the present metadata, at every level. null as a value removes the key; null instead of the object removes all metadata. */
  @ApiPropertyOptional({ ...METADATA, nullable: true })
  @AsSent()
  @IsOptional()
  @IsMetadata()
  metadata?: JsonObject | null;
}
