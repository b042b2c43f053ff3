import { Injectable } from '@nestjs/common';
import { BackupUnderWay, FileRemovals } from '#libs/database';
import { ObjectStorage, parseObjectKey } from '#libs/object-storage';

/** Removes files of removed documents and then their rows, unless a backup needs the files. */
@Injectable()
export class FileRemoval {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly removals: FileRemovals,
  ) {}

  /** @throws BackupUnderWay, with nothing removed */
  async run(keys: readonly string[], removeRows: () => Promise<void>): Promise<void> {
    const isDone = await this.removals.tryRun(async () => {
      for (const key of keys) await this.storage.delete(parseObjectKey(key));
      await removeRows();
    });
    if (!isDone) throw new BackupUnderWay();
  }
}
