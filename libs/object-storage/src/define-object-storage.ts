import { anyAdapter, type AdapterDefinition, type AdapterSettings } from '#libs/config';
import type { ObjectStorage } from './object-storage.port.js';
import type { UnfinishedUploads } from './unfinished-uploads.port.js';

/** What the application gives anyone who opens a storage. */
export interface ObjectStorageContext {
  /** Folder for a storage that keeps its objects in files; made, with mode 0700, when it does not exist. */
  readonly directory: string;
  /** Where a storage records uploads in parts. Only one that has such uploads needs it. */
  readonly uploads?: UnfinishedUploads;
}

export type ObjectStorageAdapter = AdapterDefinition<ObjectStorage, ObjectStorageContext>;

/** Describes a storage for `OBJECT_STORAGES`. What it opens must pass `describeObjectStorage`. */
export function defineObjectStorage<const S extends AdapterSettings>(
  definition: AdapterDefinition<ObjectStorage, ObjectStorageContext, S>,
): ObjectStorageAdapter {
  return anyAdapter(definition);
}
