import { PinoLogger } from 'nestjs-pino';
import type { JsonObject } from '#libs/common';
import { ObjectStorage } from '#libs/object-storage';
import { TaskHandler } from '#libs/tasks';
import { UPLOAD_SWEEP } from '../rows/maintenance.tasks.js';

/** No upload lasts that long: what is older was left by a process that died. */
const UNFINISHED_MS = 24 * 60 * 60_000;

/** Removes what uploads that never ended have left in the storage, a day later. */
@TaskHandler(UPLOAD_SWEEP)
export class StorageSweep implements TaskHandler<object> {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly logger: PinoLogger,
  ) {}

  async run(): Promise<JsonObject> {
    const removed = await this.storage.removeUnfinished(new Date(Date.now() - UNFINISHED_MS));
    if (removed > 0) this.logger.info({ removed }, 'storage.unfinished_uploads_removed');
    return { removed };
  }
}
