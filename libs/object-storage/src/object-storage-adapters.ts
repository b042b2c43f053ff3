import type { AdapterPort } from '#libs/config';
import type { ObjectStorageContext } from './define-object-storage.js';
import { filesystem } from './filesystem/filesystem.adapter.js';
import type { ObjectStorage } from './object-storage.port.js';
import { s3 } from './s3/s3.adapter.js';

/** The storages of this product. A new one is a definition beside its adapter and a name here. */
export const OBJECT_STORAGES: AdapterPort<ObjectStorage, ObjectStorageContext> = {
  setting: 'OBJECT_STORAGE',
  section: 'Object storage',
  description: 'Object storage: where the originals are kept.',
  fallback: filesystem.kind,
  adapters: [filesystem, s3],
  announced: [],
};
