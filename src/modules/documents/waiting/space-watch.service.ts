import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';
import { BackgroundLoop, MessageThrottle, storageLowOf, type FullPlace } from '#libs/common';
import { StorageSpace, type FullServer } from '#libs/storage-space';
import { Postponed, spaceWaitOf } from './backoff.js';
import { SpaceWaits } from './space-waits.repository.js';

const ROUND_MS = 5_000;
const QUIET_MS = 60_000;
const SERVERS: readonly FullServer[] = ['database', 'object_storage', 'vector_store'];

/**
 * Free disk space for background work, which begins and writes nothing while too little is free; documents then get the waiting reason
 * `storage_low`.
 */
@Injectable()
export class SpaceWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: BackgroundLoop;
  private readonly low = new MessageThrottle(QUIET_MS);
  private wasLow = false;

  constructor(
    private readonly space: StorageSpace,
    private readonly waits: SpaceWaits,
    private readonly logger: PinoLogger,
  ) {
    this.loop = new BackgroundLoop(
      ROUND_MS,
      () => this.look(),
      (error) => this.logger.warn({ err: error }, 'storage.look_failed'),
    );
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  isLow(): Promise<boolean> {
    return this.space.isLow();
  }

  /** Call this before each large write. @throws Postponed when less is free than the reserve */
  async require(): Promise<void> {
    try {
      await this.space.requireReserve();
    } catch (error) {
      throw spaceWaitOf(error) ?? error;
    }
  }

  /** Reports that a server is full, if that is the reason of the error. */
  note(error: unknown): void {
    const place = placeOf(error);
    if (place === undefined || place === 'volume') return;
    this.low.pass((omitted) => this.logger.warn({ place, omitted }, 'storage.low'));
    // A full database may refuse the report; then its own errors say the same.
    this.space
      .report(place)
      .catch((failure: unknown) => this.logger.warn({ err: failure, place }, 'storage.report_failed'));
  }

  /** Reports that all servers accepted the writes of a document. */
  noteWritten(): void {
    for (const server of SERVERS) {
      this.space
        .withdraw(server)
        .catch((failure: unknown) => this.logger.warn({ err: failure, place: server }, 'storage.report_failed'));
    }
  }

  /** One round of the loop. */
  async look(): Promise<void> {
    const isLow = await this.space.isLow();
    if (isLow) {
      const { freeBytes, reserveBytes } = (await this.space.tightest())!;
      this.low.pass((omitted) =>
        this.logger.warn({ place: 'volume', freeBytes, reserveBytes, omitted }, 'storage.low'),
      );
    } else if (this.wasLow) this.logger.info('storage.free_again');
    if (isLow || this.wasLow) await this.waits.note(isLow);
    this.wasLow = isLow;
  }
}

function placeOf(error: unknown): FullPlace | undefined {
  if (!(error instanceof Postponed) || error.reason !== 'storage_low') return undefined;
  return storageLowOf(error.cause)?.facts['place'] as FullPlace | undefined;
}
