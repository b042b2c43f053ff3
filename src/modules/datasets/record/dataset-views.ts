import type { Permission, Principal } from '#libs/tenancy';
import type { ContentSummary } from './dataset-contents.port.js';
import { shownEmbedding, type DatasetEmbedding, type DatasetRow } from './dataset.entity.js';
import type { Dataset } from './dataset.dto.js';
import { settingsOf } from './dataset-settings.js';

/** The permissions that concern a dataset, in the order in which they are shown. */
const DATASET_PERMISSIONS: readonly Permission[] = [
  'datasets:read',
  'datasets:write',
  'documents:read',
  'documents:write',
  'retrieval:search',
  'chat:complete',
  'tables:query',
  'policies:write',
  'scans:run',
  'kg:run',
  'evaluations:run',
];

const NOTHING: ContentSummary = {
  counts: {
    pending: 0,
    processing: 0,
    completed: 0,
    failed: 0,
    quarantined: 0,
    cancelled: 0,
    searchable: 0,
    without_text: 0,
    total: 0,
  },
  chunkCount: 0,
};

/** The counts of a dataset; zeros without a summary. */
export function contentsView(summary: ContentSummary = NOTHING): Pick<Dataset, 'document_counts' | 'chunk_count'> {
  return { document_counts: { ...summary.counts }, chunk_count: summary.chunkCount };
}

/** Values of a record that are not in the row. */
export interface DatasetFindings {
  /** Counts of the contents; left out: the dataset is empty. */
  readonly summary?: ContentSummary | undefined;
  /** The embedding model that the dataset is to have, if it is another one. */
  readonly wanted?: DatasetEmbedding | undefined;
}

/** The record of a dataset for `principal`. */
export function toDataset(principal: Principal, row: DatasetRow, { summary, wanted }: DatasetFindings = {}): Dataset {
  return {
    id: row.id,
    ...settingsOf(row),
    partial_member_list: [...row.partial_member_list],
    owner_id: row.owner_id,
    tenant_id: row.tenant_id,
    category_ids: [...row.category_ids],
    ingestion_policy_version: row.policy_version,
    embedding: shownEmbedding(row.embedding),
    wanted_embedding: wanted === undefined ? null : shownEmbedding(wanted),
    ...contentsView(summary),
    effective_permissions: DATASET_PERMISSIONS.filter((permission) => principal.permissions.has(permission)),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
