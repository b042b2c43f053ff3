import { BackupSession } from '#libs/database';
import { parseObjectKey, type ObjectStorage } from '#libs/object-storage';

const REVISIONS = `SELECT id, blob_key AS key, size_bytes::float8 AS size FROM document_revisions WHERE id > $1 ORDER BY id LIMIT $2`;

interface RevisionRow {
  readonly id: string;
  readonly key: string;
  readonly size: number;
}

/** Keys of files that documents of any tenant name and that the storage lacks or has in another size. */
export async function findMissingFiles(
  database: { readonly url: string; readonly rolePrefix: string },
  storage: ObjectStorage,
): Promise<readonly string[]> {
  const session = await BackupSession.begin(database);
  try {
    return await session.readSnapshot(async (snapshot) => {
      const missing: string[] = [];
      for (const tenant of snapshot.tenants) {
        for await (const { key, size } of snapshot.rowsOfTenant<RevisionRow>(tenant, REVISIONS)) {
          const found = await storage.stat(parseObjectKey(key));
          if (found?.sizeBytes !== size) missing.push(key);
        }
      }
      return missing;
    });
  } finally {
    await session.end();
  }
}
