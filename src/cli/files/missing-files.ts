import { BackupSession } from '#libs/database';
import { parseObjectKey, type ObjectStorage } from '#libs/object-storage';
import { KNOWN_FILES, type KnownFile } from './known-files.js';

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
        for (const files of KNOWN_FILES) {
          for await (const { key, size } of snapshot.rowsOfTenant<KnownFile>(tenant, files)) {
            const found = await storage.stat(parseObjectKey(key));
            if (found?.sizeBytes !== size) missing.push(key);
          }
        }
      }
      return missing;
    });
  } finally {
    await session.end();
  }
}
