import { join } from 'node:path';
import type { SettingsValues } from '#libs/config';
import { UploadRecords, type UnitOfWork } from '#libs/database';
import {
  parseObjectKey,
  UnfinishedUploads,
  type ObjectStorageOptions,
  type UnfinishedUpload,
} from '#libs/object-storage';
import { ADAPTERS } from './adapters.js';

/** How the storage of the original files is opened. Without `uploads` it is only read; `kind` says another one than the settings choose. */
export function objectStorageOptions(
  settings: SettingsValues,
  uploads?: UnfinishedUploads,
  kind: string = settings.objectStorage,
): ObjectStorageOptions {
  return {
    kind,
    port: ADAPTERS.objectStorage,
    values: settings.adapterValues,
    directory: join(settings.dataDir, 'files'),
    uploads,
  };
}

/** Unfinished uploads in the database, where a process that is killed leaves them. */
export class RecordedUploads extends UnfinishedUploads {
  private readonly records: UploadRecords;

  constructor(unitOfWork: UnitOfWork) {
    super();
    this.records = new UploadRecords(unitOfWork);
  }

  async add(upload: UnfinishedUpload): Promise<void> {
    await this.records.add(upload);
  }

  async remove(upload: UnfinishedUpload): Promise<void> {
    await this.records.remove(upload);
  }

  async listBefore(place: string, before: Date, limit: number): Promise<readonly UnfinishedUpload[]> {
    const rows = await this.records.listBefore(place, before, limit);
    return rows.map((row) => ({ ...row, key: parseObjectKey(row.key) }));
  }
}
