export { objectKey, parseObjectKey, type ObjectKey } from './object-key.js';
export { storageErrors } from './object-storage.errors.js';
export {
  createObjectStorage,
  OBJECT_STORAGE_KINDS,
  ObjectStorageModule,
  type ObjectStorageKind,
  type ObjectStorageModuleOptions,
} from './object-storage.module.js';
export {
  ObjectStorage,
  type ByteRange,
  type ListedObject,
  type ObjectStat,
  type PutOptions,
  type StorageCallOptions,
  type StoredObject,
} from './object-storage.port.js';
