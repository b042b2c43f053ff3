/** A stored file as the row that owns it knows it. */
export interface KnownFile {
  readonly id: string;
  readonly key: string;
  readonly size: number;
  readonly sha256: string;
}

/** Statements for `rowsOfTenant` that together list the files that rows own: those of revisions, and those of generations. */
export const KNOWN_FILES = [
  `SELECT id, blob_key AS key, size_bytes::float8 AS size, sha256 FROM document_revisions WHERE id > $1 ORDER BY id LIMIT $2`,
  `SELECT id, key, size_bytes::float8 AS size, sha256 FROM generation_files WHERE id > $1 AND sha256 IS NOT NULL ORDER BY id LIMIT $2`,
] as const;
