import { appendFile, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseObjectKey, UnfinishedUploads, type UnfinishedUpload } from '#libs/object-storage';

/** Unfinished uploads of a restore, which fills the database last: a file in the data folder, a line for each beginning and each end. */
export class UploadsFile extends UnfinishedUploads {
  constructor(private readonly path: string) {
    super();
  }

  async add(upload: UnfinishedUpload): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true });
    const file = await open(this.path, 'a', 0o600);
    try {
      await file.appendFile(`${JSON.stringify(upload)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  async remove({ uploadId }: UnfinishedUpload): Promise<void> {
    await appendFile(this.path, `${JSON.stringify({ ended: uploadId })}\n`);
  }

  /** All of them are older: no one else writes while a restore runs. */
  async listBefore(place: string, _before: Date, limit: number): Promise<readonly UnfinishedUpload[]> {
    const begun = new Map<string, UnfinishedUpload>();
    for (const line of await this.lines()) {
      const entry = JSON.parse(line) as UnfinishedUpload | { readonly ended: string };
      if ('ended' in entry) begun.delete(entry.ended);
      else if (entry.place === place) begun.set(entry.uploadId, { ...entry, key: parseObjectKey(entry.key) });
    }
    return [...begun.values()].slice(0, limit);
  }

  /** The restore has ended. */
  async discard(): Promise<void> {
    await rm(this.path, { force: true });
  }

  /** Whole ones: the last may have been cut off, before its upload got a part. */
  private async lines(): Promise<readonly string[]> {
    try {
      return (await readFile(this.path, 'utf8')).split('\n').slice(0, -1);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }
}
