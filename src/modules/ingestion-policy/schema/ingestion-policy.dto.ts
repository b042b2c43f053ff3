import { ApiProperty } from '@nestjs/swagger';
import type { JsonValue } from '#libs/common';
import { Answer, Integer, PageOf, Text } from '#libs/http';
import { DatasetEmbeddingDto } from '../../datasets/index.js';
import type { IngestionPolicy } from './ingestion-policy.entity.js';
import { IngestionPolicySchema } from './ingestion-policy-schema.dto.js';

const MOST_VERSIONS = 2_147_483_647;
const ANY_VALUE = {
  anyOf: ['object', 'array', 'string', 'number', 'boolean', 'null'].map((type) =>
    type === 'array' ? { type, items: {} } : { type },
  ),
};

/** A version of a dataset's ingestion policy. */
export class IngestionPolicyVersion {
  /** Number of the version, from 1. */
  @Answer.Integer({ min: 1 })
  version!: number;

  /** SHA-256 of the policy's canonical JSON, hexadecimal. */
  fingerprint!: string;

  /** Identifier of the account that wrote the version; null: the service. */
  @Answer.Uuid({ nullable: true })
  author_id!: string | null;

  /** Time of creation. */
  @Answer.Instant()
  created_at!: string;

  /** Comment of the author on the version; null: none. */
  @Answer.Text({ nullable: true })
  comment!: string | null;

  /** The policy, with all fields. */
  @Answer.Nested(IngestionPolicySchema)
  policy!: IngestionPolicy;
}

/** An effect of a policy on chunks that its author may not expect. */
export class PolicyWarning {
  /** JSON pointer to the field of the policy that the warning is about. */
  pointer!: string;

  /** Code of the warning: `CHUNKS_LONGER_THAN_MODEL` or `CHUNKS_FIT_ANOTHER_MODEL`. */
  code!: string;

  /** Explanation of the warning, with advice. */
  detail!: string;
}

/** The policy version in force, and whether the dataset has the embedding model that it names. */
export class PresentIngestionPolicy extends IngestionPolicyVersion {
  /**
   * Embedding model that the policy names, if the dataset's vectors are of another model; `POST /datasets/{id}/reembeddings` makes the
   * change. null: the dataset has this model, or the installation no longer has it (the health of the dataset says so).
   */
  @Answer.Nested(DatasetEmbeddingDto, { nullable: true })
  wanted_embedding!: DatasetEmbeddingDto | null;

  /** Warnings about chunks that the embedding model of the dataset, or the one that the policy names, cannot read in full. */
  @Answer.NestedList(PolicyWarning)
  warnings!: PolicyWarning[];
}

/** A version in the list, without its policy. */
export class PolicyVersionListItem {
  /** Number of the version, from 1. */
  @Answer.Integer({ min: 1 })
  version!: number;

  /** Identifier of the account that wrote the version; null: the service. */
  @Answer.Uuid({ nullable: true })
  author_id!: string | null;

  /** Time of creation. */
  @Answer.Instant()
  created_at!: string;

  /** Comment of the author on the version; null: none. */
  @Answer.Text({ nullable: true })
  comment!: string | null;

  /** SHA-256 of the policy's canonical JSON, hexadecimal. */
  fingerprint!: string;

  /** Number of the version that this one copies; null: it does not come from a rollback. */
  @Answer.Integer({ nullable: true, min: 1 })
  source_version!: number | null;

  /** Number of documents that were ingested under this version, or will be in their first ingestion. */
  @Answer.Count()
  documents_on_version!: number;
}

/** A page of versions, newest first. */
export class PolicyVersionPage extends PageOf(PolicyVersionListItem, {
  items: 'The versions of this page.',
  total: 'Total number of versions; the newest 50 are kept.',
  least: { limit: 1 },
}) {}

/** One field that differs. */
export class PolicyChange {
  /** JSON pointer to the field. */
  pointer!: string;

  /** `added`: only the later version has the field. `removed`: only the earlier version has it. `changed`: both have it, with different values. */
  @Answer.Choice(['added', 'removed', 'changed'])
  op!: 'added' | 'removed' | 'changed';

  /** Value in the earlier version; null if it has no such field. A list is one value. */
  @ApiProperty(ANY_VALUE)
  from!: JsonValue;

  /** Value in the later version; null if it has no such field. */
  @ApiProperty(ANY_VALUE)
  to!: JsonValue;
}

/** Differences of two versions. */
export class PolicyDiff {
  /** Number of the earlier version. */
  @Answer.Integer({ min: 1 })
  from!: number;

  /** Number of the later version. */
  @Answer.Integer({ min: 1 })
  to!: number;

  /** Fields that differ, in the order of the policy. */
  @Answer.NestedList(PolicyChange)
  items!: PolicyChange[];

  /** Number of fields that differ. */
  @Answer.Count()
  total!: number;
}

/** Comment on a change. */
export class PolicyChangeQuery {
  /** Reason of the change, stored with the new version. */
  @Text({ query: true, max: 500, described: { pattern: '^[^\\u0000]*$' } })
  comment?: string;
}

/** Versions to compare. */
export class PolicyDiffQuery {
  /** Number of the earlier version; left out: the version before `to`. */
  @Integer({ query: true, min: 1, max: MOST_VERSIONS })
  from?: number;

  /** Number of the later version; left out: the present version. */
  @Integer({ query: true, min: 1, max: MOST_VERSIONS })
  to?: number;
}

/** Version to go back to. */
export class RollbackPolicyRequest {
  /** Number of the version to copy. */
  @Integer({ min: 1, max: MOST_VERSIONS })
  version!: number;

  /** Reason of the rollback, stored with the new version. */
  @Text({ optional: true, max: 500, described: { pattern: '^[^\\u0000]*$' } })
  comment?: string;
}
