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

  /** Account that wrote it; null: the service. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  author_id!: string | null;

  /** When it was written. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  /** What its author said about it. */
  @ApiProperty({ type: String, nullable: true })
  comment!: string | null;

  /** The policy, with every field. */
  @ApiProperty({ type: IngestionPolicySchema })
  policy!: IngestionPolicy;
}

/** Something that a policy does to chunks and that its author may not expect. */
export class PolicyWarning {
  /** JSON pointer into the policy. */
  pointer!: string;

  /** `CHUNKS_LONGER_THAN_MODEL` or `CHUNKS_FIT_ANOTHER_MODEL`. */
  code!: string;

  /** What it means, and what helps. */
  detail!: string;
}

/** The version of a policy that is in force, and whether the dataset is as it says. */
export class PresentIngestionPolicy extends IngestionPolicyVersion {
  /**
   * The embedding model that the policy asks for, where the dataset's vectors are of another one: nothing changes until
   * `POST /datasets/{id}/reembeddings`. null: they agree, or the installation does not have the model any more, which health tells.
   */
  @ApiProperty({ type: DatasetEmbeddingDto, nullable: true })
  wanted_embedding!: DatasetEmbeddingDto | null;

  /** What the embedding model of the dataset, or the one that the policy wants, does not read of its chunks. */
  @ApiProperty({ type: [PolicyWarning] })
  warnings!: PolicyWarning[];
}

/** A version in the list, without its policy. */
export class PolicyVersionListItem {
  /** Number of the version, from 1. */
  @ApiProperty(VERSION)
  version!: number;

  /** Account that wrote it; null: the service. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  author_id!: string | null;

  /** When it was written. */
  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  /** What its author said about it. */
  @ApiProperty({ type: String, nullable: true })
  comment!: string | null;

  /** SHA-256 of the policy's canonical JSON, hexadecimal. */
  fingerprint!: string;

  /** Version that it is a copy of, where it came from a roll-back. */
  @ApiProperty({ ...VERSION, nullable: true })
  source_version!: number | null;

  /** Documents whose content was made with it, or will be when they are ingested for the first time. */
  @ApiProperty(COUNT)
  documents_on_version!: number;
}

/** A page of versions, newest first. */
export class PolicyVersionPage {
  /** The versions of this page. */
  @ApiProperty({ type: [PolicyVersionListItem] })
  items!: PolicyVersionListItem[];

  /** How many there are in all; the newest 50 are kept. */
  @ApiProperty(COUNT)
  total!: number;

  /** Number of rows left out at the beginning. */
  @ApiProperty(COUNT)
  skip!: number;

  /** Maximum number of rows of the page. */
  @ApiProperty(VERSION)
  limit!: number;
}

/** One field that differs. */
export class PolicyChange {
  /** JSON pointer of the field. */
  pointer!: string;

  /** Whether the later version has the field too (`changed`), alone (`added`) or no longer (`removed`). */
  @ApiProperty({ enum: ['added', 'removed', 'changed'] })
  op!: 'added' | 'removed' | 'changed';

  /** Value in the earlier version; null when it is not there. A list is one value. */
  @ApiProperty(ANY_VALUE)
  from!: JsonValue;

  /** Value in the later version; null when it is not there. */
  @ApiProperty(ANY_VALUE)
  to!: JsonValue;
}

/** How two versions differ. */
export class PolicyDiff {
  /** The earlier version. */
  @ApiProperty(VERSION)
  from!: number;

  /** The later version. */
  @ApiProperty(VERSION)
  to!: number;

  /** The fields that differ, in the order of the policy. */
  @ApiProperty({ type: [PolicyChange] })
  items!: PolicyChange[];

  /** How many fields differ. */
  @ApiProperty(COUNT)
  total!: number;
}

/** What is said about a change. */
export class PolicyChangeQuery {
  /** Why the policy is changed; kept with the version. */
  @ApiPropertyOptional(COMMENT)
  @IsOptional()
  @IsString()
  @MaxLength(COMMENT.maxLength)
  comment?: string;
}

/** Which versions to compare. */
export class PolicyDiffQuery {
  /** The earlier version; left out: the one before `to`. */
  @ApiPropertyOptional({ ...VERSION, maximum: MOST_VERSIONS })
  @IsOptional()
  @QueryInteger()
  @IsInt()
  @Min(1)
  @Max(MOST_VERSIONS)
  from?: number;

  /** The later version; left out: the present one. */
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
  /** The version that is copied. */
  @ApiProperty({ ...VERSION, maximum: MOST_VERSIONS })
  @IsInt()
  @Min(1)
  @Max(MOST_VERSIONS)
  version!: number;

  /** Why; kept with the new version. */
  @ApiPropertyOptional(COMMENT)
  @ValidateIf((_object, value: unknown) => value !== undefined)
  @IsString()
  @MaxLength(COMMENT.maxLength)
  comment?: string;
}
