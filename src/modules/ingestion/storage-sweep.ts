import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { BackgroundLoop } from '#libs/common';
import { ObjectStorage } from '#libs/object-storage';

const PAUSE_MS = 10 * 60_000;
/** No upload lasts that long: what is older was left by a process that died. */
const UNFINISHED_MS = 24 * 60 * 60_000;

/** Removes what uploads that never ended have left in the storage, a day later. */
@Injectable()
export class StorageSweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: BackgroundLoop;

  constructor(
    private readonly storage: ObjectStorage,
    private readonly logger: PinoLogger,
  ) {
    this.loop = new BackgroundLoop(
      PAUSE_MS,
      () => this.round(),
      (error) => logger.warn({ err: error }, 'storage_sweep.round_failed'),
    );
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  private async round(): Promise<void> {
    const removed = await this.storage.removeUnfinished(new Date(Date.now() - UNFINISHED_MS));
    if (removed > 0) this.logger.info({ removed }, 'storage.unfinished_uploads_removed');
  }
}
