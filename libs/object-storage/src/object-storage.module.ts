import { type DynamicModule, Global, Module } from '@nestjs/common';
import { openAdapter, type AdapterPort, type AdapterValues } from '#libs/config';
import type { ObjectStorageContext } from './define-object-storage.js';
import { OBJECT_STORAGES } from './object-storage-adapters.js';
import { storageErrors } from './object-storage.errors.js';
import { ObjectStorage } from './object-storage.port.js';

export interface ObjectStorageOptions extends ObjectStorageContext {
  /** The value of `OBJECT_STORAGE`. */
  readonly kind: string;
  /** The available storages; default: those of this product. */
  readonly port?: AdapterPort<ObjectStorage, ObjectStorageContext>;
  /** Their settings by name. */
  readonly values?: AdapterValues;
}

export interface ObjectStorageModuleOptions extends ObjectStorageOptions {
  /** Wraps the storage, to measure its calls for instance. */
  readonly decorate?: (storage: ObjectStorage) => ObjectStorage;
}

/** Opens the storage that the options choose. @throws `storage.unavailable`, `storage.provider_not_available` */
export async function createObjectStorage(options: ObjectStorageOptions): Promise<ObjectStorage> {
  const { port = OBJECT_STORAGES, values = {}, ...context } = options;
  const available = port.adapters.map((adapter) => adapter.kind);
  if (!available.includes(options.kind)) throw storageErrors.provider_not_available({ value: options.kind, available });
  return openAdapter(port, options.kind, values, context);
}

/** Provides `ObjectStorage` everywhere; the start fails when the storage cannot be opened. */
@Global()
@Module({})
export class ObjectStorageModule {
  static forRoot({ decorate, ...options }: ObjectStorageModuleOptions): DynamicModule {
    const open = async (): Promise<ObjectStorage> => {
      const storage = await createObjectStorage(options);
      return decorate?.(storage) ?? storage;
    };
    return {
      module: ObjectStorageModule,
      providers: [{ provide: ObjectStorage, useFactory: open }],
      exports: [ObjectStorage],
    };
  }
}
