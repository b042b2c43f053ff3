import { type DynamicModule, Global, Module } from '@nestjs/common';
import { storageErrors } from './object-storage.errors.js';
import { ObjectStorage } from './object-storage.port.js';

/** The values that `OBJECT_STORAGE` may have. */
export const OBJECT_STORAGE_KINDS = ['filesystem', 's3'] as const;
export type ObjectStorageKind = (typeof OBJECT_STORAGE_KINDS)[number];

export interface ObjectStorageModuleOptions {
  readonly kind: ObjectStorageKind;
  /** Folder of the objects; made, with mode 0700, when it does not exist. Used by `filesystem`. */
  readonly directory: string;
}

type Loader = (options: ObjectStorageModuleOptions) => Promise<ObjectStorage>;

/** Every value of the setting and how its adapter is made; an adapter's code is loaded only when it is chosen. */
const ADAPTERS: Readonly<Record<ObjectStorageKind, Loader>> = {
  filesystem: async ({ directory }) => {
    const { FilesystemObjectStorage } = await import('./filesystem/filesystem-object-storage.js');
    return FilesystemObjectStorage.open(directory);
  },
  s3: () => Promise.reject(storageErrors.provider_not_available({ value: 's3', available: ['filesystem'] })),
};

/**
 * Makes the store that the options choose.
 * @throws `storage.provider_not_available`, `storage.unavailable`.
 */
export function createObjectStorage(options: ObjectStorageModuleOptions): Promise<ObjectStorage> {
  return ADAPTERS[options.kind](options);
}

/** Provides `ObjectStorage` everywhere; the start fails when the store cannot be opened. */
@Global()
@Module({})
export class ObjectStorageModule {
  static forRoot(options: ObjectStorageModuleOptions): DynamicModule {
    return {
      module: ObjectStorageModule,
      providers: [{ provide: ObjectStorage, useFactory: () => createObjectStorage(options) }],
      exports: [ObjectStorage],
    };
  }
}
