import type { JsonObject } from '#libs/common';
import type { DatasetProfileSummary, DuplicateGroup, FoundDocuments } from '../runs/profile.dto.js';
import type { ProfileScanRun } from '../runs/profile-scan.dto.js';
import type { ScanRunRow } from '../runs/scan-runs.repository.js';
import type { ProfileConfig, StoredDocuments, StoredDuplicates, StoredProfile } from './stored-profile.js';

type Names = ReadonlyMap<string, string>;

export function toRun(row: ScanRunRow): ProfileScanRun {
  const { done = 0, total = null } = row.progress;
  return {
    scan_run_id: row.id,
    dataset_id: row.dataset_id,
    status: row.status,
    config: { ...(row.config as unknown as ProfileConfig) },
    progress: { done, total },
    error: row.error,
    requested_by: row.requested_by,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}

/** Every document that a stored profile names. */
export function namedIn(profile: StoredProfile): string[] {
  const found = foundIn(profile).flatMap(({ documents }) => documents);
  return [...new Set([...found, ...profile.duplicates.items.flatMap(({ documents }) => documents)])];
}

function foundIn({ documents, stale, metadata, encoding, pdf }: StoredProfile): StoredDocuments[] {
  return [
    documents.empty,
    documents.without_chunks,
    stale.policy,
    stale.embedding,
    stale.age,
    metadata.without,
    encoding.damaged,
    pdf.unreadable,
    pdf.partly_readable,
  ];
}

/** A stored profile with the documents that are visible now, under their present names. */
export function toSummary(
  profile: StoredProfile,
  names: Names,
  sections: Readonly<Record<string, JsonObject>>,
): DatasetProfileSummary {
  const found = (stored: StoredDocuments): FoundDocuments => ({
    count: stored.count,
    documents: referencesTo(stored.documents, names),
  });
  const { documents, stale, metadata, encoding, pdf, duplicates } = profile;
  return {
    ...(structuredClone(profile) as unknown as DatasetProfileSummary),
    documents: {
      ...documents,
      by_status: [...documents.by_status],
      empty: found(documents.empty),
      without_chunks: found(documents.without_chunks),
    },
    duplicates: {
      ...duplicates,
      items: duplicates.items.map((group) => toGroup(group, names)).filter((group) => group.documents.length > 1),
    },
    stale: { policy: found(stale.policy), embedding: found(stale.embedding), age: found(stale.age) },
    metadata: { fields: [...metadata.fields], without: found(metadata.without) },
    encoding: { ...encoding, damaged: found(encoding.damaged) },
    pdf: { ...pdf, unreadable: found(pdf.unreadable), partly_readable: found(pdf.partly_readable) },
    sections,
  };
}

function toGroup(group: StoredDuplicates, names: Names): DuplicateGroup {
  const pairs = group.pairs?.filter(({ a, b }) => names.has(a) && names.has(b)).map((pair) => ({ ...pair })) ?? null;
  return { ...group, documents: referencesTo(group.documents, names), pairs };
}

function referencesTo(ids: readonly string[], names: Names): FoundDocuments['documents'] {
  return ids.flatMap((id) => {
    const name = names.get(id);
    return name === undefined ? [] : [{ document_id: id, document_name: name }];
  });
}
