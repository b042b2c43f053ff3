import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min, ValidateIf } from 'class-validator';
import type { JsonValue } from '#libs/common';
import { QueryInteger } from '#libs/http';
import { DatasetEmbeddingDto } from '../../datasets/index.js';
import type { IngestionPolicy } from './ingestion-policy.entity.js';
import { IngestionPolicySchema } from './ingestion-policy-schema.dto.js';

const VERSION = { type: 'integer', minimum: 1 } as const;
const COUNT = { type: 'integer', minimum: 0 } as const;
const COMMENT = { type: String, maxLength: 500, pattern: '^[^\\u0000]*$' } as const;
const MOST_VERSIONS = 2_147_483_647;
const ANY_VALUE = {
  anyOf: ['object', 'array', 'string', 'number', 'boolean', 'null'].map((type) =>
    type === 'array' ? { type, items: {} } : { type },
  ),
};

/** A version of a dataset's ingestion policy. */
export class IngestionPolicyVersion {
  /** Number of the version, from 1. */
  @ApiProperty(VERSION)
  version!: number;

  /** SHA-256 of the policy's canonical JSON, hexadecimal. */
  fingerprint!: string;

  /** Identifier of the account that wrote the version; null: the service. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  author_id!: string | null;

  /** Time of creation. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  /** Comment of the author on the version; null: none. */
  @ApiProperty({ type: String, nullable: true })
  comment!: string | null;

  /** The policy, with all fields. */
  @ApiProperty({ type: IngestionPolicySchema })
  policy!: IngestionPolicy;
}

/** Something that a policy does to chunks and that its author may not expect. */
export class PolicyWarning {
  /** JSON pointer to the field of the policy that the warning is about. */
  pointer!: string;

  /** Code of the warning: `CHUNKS_LONGER_THAN_MODEL` or `CHUNKS_FIT_ANOTHER_MODEL`. */
  code!: string;

  /** Explanation of the warning, with advice. */
  detail!: string;
}

/** The version of a policy that is in force, and whether the dataset is as it says. */
export class PresentIngestionPolicy extends IngestionPolicyVersion {
  /**
   * Embedding model that the policy asks for, if the dataset's vectors are of another one; nothing changes until `POST
   * /datasets/{id}/reembeddings`. null: they agree, or the installation no longer has that model, which the health of the dataset shows.
   */
  @ApiProperty({ type: DatasetEmbeddingDto, nullable: true })
  wanted_embedding!: DatasetEmbeddingDto | null;

  /** Warnings that the embedding model of the dataset, or the one that the policy asks for, does not read all of its chunks. */
  @ApiProperty({ type: [PolicyWarning] })
  warnings!: PolicyWarning[];
}

/** A version in the list, without its policy. */
export class PolicyVersionListItem {
  /** Number of the version, from 1. */
  @ApiProperty(VERSION)
  version!: number;

  /** Identifier of the account that wrote the version; null: the service. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  author_id!: string | null;

  /** Time of creation. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  /** Comment of the author on the version; null: none. */
  @ApiProperty({ type: String, nullable: true })
  comment!: string | null;

  /** SHA-256 of the policy's canonical JSON, hexadecimal. */
  fingerprint!: string;

  /** Number of the version that this one copies; null: it does not come from a rollback. */
  @ApiProperty({ ...VERSION, nullable: true })
  source_version!: number | null;

  /** Number of documents that were ingested with the version, or will be when they are ingested for the first time. */
  @ApiProperty(COUNT)
  documents_on_version!: number;
}

/** A page of versions, newest first. */
export class PolicyVersionPage {
  /** The versions of this page. */
  @ApiProperty({ type: [PolicyVersionListItem] })
  items!: PolicyVersionListItem[];

  /** Total number of versions; the newest 50 are kept. */
  @ApiProperty(COUNT)
  total!: number;

  /** Number of rows left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** Maximum number of rows in a page. */
  @ApiProperty(VERSION)
  limit!: number;
}

/** One field that differs. */
export class PolicyChange {
  /** JSON pointer to the field. */
  pointer!: string;

  /** `added`: only the later version has the field. `removed`: only the earlier version has it. `changed`: both have it, with different values. */
  @ApiProperty({ enum: ['added', 'removed', 'changed'] })
  op!: 'added' | 'removed' | 'changed';

  /** Value in the earlier version; null if it has no such field. A list is one value. */
  @ApiProperty(ANY_VALUE)
  from!: JsonValue;

  /** Value in the later version; null if it has no such field. */
  @ApiProperty(ANY_VALUE)
  to!: JsonValue;
}

/** How two versions differ. */
export class PolicyDiff {
  /** Number of the earlier version. */
  @ApiProperty(VERSION)
  from!: number;

  /** Number of the later version. */
  @ApiProperty(VERSION)
  to!: number;

  /** Fields that differ, in the order of the policy. */
  @ApiProperty({ type: [PolicyChange] })
  items!: PolicyChange[];

  /** Number of fields that differ. */
  @ApiProperty(COUNT)
  total!: number;
}

/** What is said about a change. */
export class PolicyChangeQuery {
  /** Reason of the change, stored with the new version. */
  @ApiPropertyOptional(COMMENT)
  @IsOptional()
  @IsString()
  @MaxLength(COMMENT.maxLength)
  comment?: string;
}

/** Which versions to compare. */
export class PolicyDiffQuery {
  /** Number of the earlier version; left out: the version before `to`. */
  @ApiPropertyOptional({ ...VERSION, maximum: MOST_VERSIONS })
  @IsOptional()
  @QueryInteger()
  @IsInt()
  @Min(1)
  @Max(MOST_VERSIONS)
  from?: number;

  /** Number of the later version; left out: the present version. */
  @ApiPropertyOptional({ ...VERSION, maximum: MOST_VERSIONS })
  @IsOptional()
  @QueryInteger()
  @IsInt()
  @Min(1)
  @Max(MOST_VERSIONS)
  to?: number;
}

/** Which version to go back to. */
export class RollbackPolicyRequest {
  /** Number of the version to copy. */
  @ApiProperty({ ...VERSION, maximum: MOST_VERSIONS })
  @IsInt()
  @Min(1)
  @Max(MOST_VERSIONS)
  version!: number;

  /** Reason of the rollback, stored with the new version. */
  @ApiPropertyOptional(COMMENT)
  @ValidateIf((_object, value: unknown) => value !== undefined)
  @IsString()
  @MaxLength(COMMENT.maxLength)
  comment?: string;
}
