import { join } from 'node:path';
import type { SettingsValues } from '#libs/config';
import type { ObjectStorageOptions } from '#libs/object-storage';
import { ADAPTERS } from './adapters.js';

/** How the storage of the original files is opened. */
export function objectStorageOptions(settings: SettingsValues): ObjectStorageOptions {
  return {
    kind: settings.objectStorage,
    port: ADAPTERS.objectStorage,
    values: settings.adapterValues,
    directory: join(settings.dataDir, 'files'),
  };
}
