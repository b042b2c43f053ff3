import type { InstalledModels } from '#libs/ai';
import type {
  IngestionPolicyVersion,
  PolicyVersionListItem,
  PresentIngestionPolicy,
} from '../schema/ingestion-policy.dto.js';
import { shownEmbedding } from '../../datasets/index.js';
import { policyWarnings } from '../rules/model-reach.js';
import type { PolicyVersionRow } from './policy-version.entity.js';
import { completePolicy } from '../rules/policy-validation.js';
import type { ListedVersionRow } from './policy-versions.repository.js';
import { wantedEmbedding } from '../rules/wanted-embedding.js';

/** A version with its policy, for responses. */
export function toPolicyVersion(row: PolicyVersionRow): IngestionPolicyVersion {
  return {
    version: row.version,
    fingerprint: row.fingerprint,
    author_id: row.author_id,
    created_at: row.created_at.toISOString(),
    comment: row.comment,
    policy: completePolicy(row.policy),
  };
}

/** The version in force of a dataset whose vectors are in `space`. */
export function toPresentPolicy(
  version: IngestionPolicyVersion,
  space: string,
  models: InstalledModels,
): PresentIngestionPolicy {
  const { policy } = version;
  const wanted = wantedEmbedding(models, policy);
  const isOther = wanted !== undefined && wanted.space !== space;
  return {
    ...version,
    wanted_embedding: isOther ? shownEmbedding(wanted.embedding) : null,
    warnings: policyWarnings(models, policy, space),
  };
}

/** A version in the list. */
export function toVersionListItem(row: ListedVersionRow, documents: number): PolicyVersionListItem {
  return {
    version: row.version,
    author_id: row.author_id,
    created_at: row.created_at.toISOString(),
    comment: row.comment,
    fingerprint: row.fingerprint,
    source_version: row.source_version,
    documents_on_version: documents,
  };
}
