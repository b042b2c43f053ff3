import { LessThan } from 'typeorm';
import { UnfinishedUploadEntity } from './unfinished-upload.entity.js';
import type { UnitOfWork } from './unit-of-work.js';

/** An upload in parts: where it was begun, for which object, under which id. */
export interface UploadRecord {
  readonly place: string;
  readonly key: string;
  readonly uploadId: string;
}

/** The uploads in parts that were begun and not ended, for all processes of the installation. */
export class UploadRecords {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Durable when the promise resolves, whatever becomes of any transaction around it. */
  async add({ place, key, uploadId }: UploadRecord): Promise<void> {
    await this.unitOfWork.runAsSystem((manager) =>
      manager.getRepository(UnfinishedUploadEntity).insert({ place, object_key: key, upload_id: uploadId }),
    );
  }

  /** Idempotent. */
  async remove({ place, uploadId }: UploadRecord): Promise<void> {
    await this.unitOfWork.runAsSystem((manager) =>
      manager.getRepository(UnfinishedUploadEntity).delete({ place, upload_id: uploadId }),
    );
  }

  /** At most `limit` uploads of a place that began before a time, oldest first. */
  async listBefore(place: string, before: Date, limit: number): Promise<UploadRecord[]> {
    const rows = await this.unitOfWork.runAsSystem((manager) =>
      manager.getRepository(UnfinishedUploadEntity).find({
        where: { place, began_at: LessThan(before) },
        order: { began_at: 'ASC' },
        take: limit,
      }),
    );
    return rows.map((row) => ({ place: row.place, key: row.object_key, uploadId: row.upload_id }));
  }
}
