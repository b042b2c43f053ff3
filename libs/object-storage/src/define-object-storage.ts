import { anyAdapter, type AdapterDefinition, type AdapterSettings } from '#libs/config';
import type { ObjectStorage } from './object-storage.port.js';
import type { UnfinishedUploads } from './unfinished-uploads.port.js';

/** What the application gives the opener of a storage. */
export interface ObjectStorageContext {
  /** Folder for a storage that keeps its objects in files; created with mode 0700 if it does not exist. */
  readonly directory: string;
  /** Record of uploads in parts, for a storage that makes such uploads. */
  readonly uploads?: UnfinishedUploads;
}

export type ObjectStorageAdapter = AdapterDefinition<ObjectStorage, ObjectStorageContext>;

/** Describes a storage for `OBJECT_STORAGES`. What it opens must pass `describeObjectStorage`. */
export function defineObjectStorage<const S extends AdapterSettings>(
  definition: AdapterDefinition<ObjectStorage, ObjectStorageContext, S>,
): ObjectStorageAdapter {
  return anyAdapter(definition);
}
