export { defineObjectStorage, type ObjectStorageAdapter, type ObjectStorageContext } from './define-object-storage.js';
export { objectKey, parseObjectKey, type ObjectKey } from './object-key.js';
export { storageErrors } from './object-storage.errors.js';
export { OBJECT_STORAGES } from './object-storage-adapters.js';
export {
  createObjectStorage,
  ObjectStorageModule,
  type ObjectStorageModuleOptions,
  type ObjectStorageOptions,
} from './object-storage.module.js';
export { StoredFile } from './filesystem/packed-file.js';
export { UnfinishedUploads, type UnfinishedUpload } from './unfinished-uploads.port.js';
export {
  ObjectStorage,
  type ByteRange,
  type ListedObject,
  type ObjectStat,
  type PutOptions,
  type StorageCallOptions,
  type StoredObject,
} from './object-storage.port.js';
