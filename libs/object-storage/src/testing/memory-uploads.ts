import type { UnfinishedUpload, UnfinishedUploads } from '../unfinished-uploads.port.js';

/** A record that goes with the process, for tests. Everything in it was begun just now. */
export class MemoryUploads implements UnfinishedUploads {
  readonly begun: { readonly upload: UnfinishedUpload; readonly at: Date }[] = [];

  add(upload: UnfinishedUpload): Promise<void> {
    this.begun.push({ upload, at: new Date() });
    return Promise.resolve();
  }

  remove({ uploadId }: UnfinishedUpload): Promise<void> {
    const at = this.begun.findIndex(({ upload }) => upload.uploadId === uploadId);
    if (at >= 0) this.begun.splice(at, 1);
    return Promise.resolve();
  }

  listBefore(place: string, before: Date, limit: number): Promise<readonly UnfinishedUpload[]> {
    const old = this.begun.filter(({ upload, at }) => upload.place === place && at <= before);
    return Promise.resolve(old.slice(0, limit).map(({ upload }) => upload));
  }
}
