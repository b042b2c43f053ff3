import { storageLow, type CatalogueError, type SpaceFigures } from '#libs/common';
import type { GrowthFactors } from './growth.js';
import { reserveOf } from './reserve.js';
import { SharedMeasurement, type Measurement } from './shared-measurement.js';
import type { FullServer, KnownNeeds, SpaceNeeds } from './space-needs.port.js';
import type { VolumeSpace, Volumes } from './volumes.js';

/** A look at the volume serves everybody for so long. */
const VOLUME_LOOK_MS = 250;
/** The same of what the database knows. */
const NEEDS_LOOK_MS = 1_000;
/** A server that said it is full is believed for so long after each time. */
const REPORT_SECONDS = 45;
/** Space is scarce for so long after something was refused. */
const SCARCE_MS = 600_000;
/** Its saying so again within this time is no news. */
const REPORT_AGAIN_MS = 5_000;

export interface SpaceRules {
  /** Bytes that stay free; undefined: a share of the volume; 0: nothing is refused. */
  readonly reserveBytes: number | undefined;
  readonly growth: GrowthFactors;
}

/** The volume that has least above its reserve. */
export interface TightestVolume extends VolumeSpace {
  readonly reserveBytes: number;
}

/** Space that was promised to a request; it counts against everybody else until it ends. */
export interface SpacePromise {
  /** Says that the files are of this many bytes, if that is more than was said before. @throws `storage.low` */
  atLeast(fileBytes: number): Promise<void>;
  /** What was accepted is known to the database from now on; the rest is not needed. */
  end(): void;
}

/** A promise on this process's list. */
interface Entry {
  fileBytes: number;
  endedAt: number | undefined;
}

/**
 * How much space there is, and who may take some. Whatever is accepted counts with what it will grow to, before its bytes land: files
 * whose ingestion waits (as the database knows, of all processes), and those that are being received here.
 */
export class StorageSpace {
  private readonly volume: SharedMeasurement<TightestVolume | undefined>;
  private readonly known: SharedMeasurement<KnownNeeds>;
  private readonly promises = new Set<Entry>();
  private refusedAt = -Infinity;
  private readonly reportedAt = new Map<FullServer, number>();

  constructor(
    volumes: Volumes,
    private readonly needs: SpaceNeeds,
    private readonly rules: SpaceRules,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.volume = new SharedMeasurement(() => this.readTightest(volumes), VOLUME_LOOK_MS, now);
    this.known = new SharedMeasurement(() => needs.read(), NEEDS_LOOK_MS, now);
  }

  /** What is configured, or what follows from the volume; undefined where nothing is written to a volume of ours. */
  async tightest(): Promise<TightestVolume | undefined> {
    return (await this.volume.get()).value;
  }

  /** Refuses what writes when less is free than the reserve, or a server is known to be full. @throws `storage.low` */
  async requireSpace(): Promise<void> {
    if (this.rules.reserveBytes === 0) return;
    const [server] = (await this.known.get()).value.full;
    if (server !== undefined) throw storageLow(server);
    await this.requireReserve();
  }

  /** The same of our own volume alone, for work that finds out about servers by itself. @throws `storage.low` */
  async requireReserve(): Promise<void> {
    const refusal = shortageOf(await this.tightest(), 0);
    if (refusal !== undefined) throw refusal;
  }

  /** True when little is left above the reserve, or something was refused lately: what no one needs should go. */
  async isScarce(): Promise<boolean> {
    const volume = await this.tightest();
    if (volume === undefined || volume.reserveBytes === 0) return false;
    return volume.freeBytes < 2 * volume.reserveBytes || this.now() - this.refusedAt < SCARCE_MS;
  }

  /** True when less is free than the reserve. */
  async isLow(): Promise<boolean> {
    return shortageOf(await this.tightest(), 0) !== undefined;
  }

  /** Promises space for files of this many bytes and what they grow to. @throws `storage.low` */
  async promise(fileBytes: number): Promise<SpacePromise> {
    const entry: Entry = { fileBytes: 0, endedAt: undefined };
    this.promises.add(entry);
    const promise: SpacePromise = {
      atLeast: (bytes) => this.raise(entry, bytes),
      end: () => {
        entry.endedAt = this.now();
      },
    };
    try {
      await this.requireSpace();
      await this.raise(entry, fileBytes);
    } catch (error) {
      this.promises.delete(entry);
      throw error;
    }
    return promise;
  }

  /** To be told of every error that says a server is full. */
  async report(server: FullServer): Promise<void> {
    const last = this.reportedAt.get(server);
    if (last !== undefined && this.now() - last < REPORT_AGAIN_MS) return;
    this.reportedAt.set(server, this.now());
    await this.needs.report(server, REPORT_SECONDS);
    this.known.forget();
  }

  /** To be told when a server takes writes; costs nothing while it was not reported. */
  async withdraw(server: FullServer): Promise<void> {
    if (!this.reportedAt.delete(server)) return;
    await this.needs.withdraw(server);
    this.known.forget();
  }

  /** Looks first and then decides in one step, so that of those who ask together the first ones fit and the others do not. */
  private async raise(entry: Entry, fileBytes: number): Promise<void> {
    if (this.rules.reserveBytes === 0 || fileBytes <= entry.fileBytes) return;
    const [known, volume] = await Promise.all([this.known.get(), this.tightest()]);
    const before = entry.fileBytes;
    entry.fileBytes = fileBytes;
    const refusal = shortageOf(volume, this.neededBytes(known));
    if (refusal === undefined) return;
    entry.fileBytes = before;
    this.refusedAt = this.now();
    throw refusal;
  }

  /** What was accepted or promised and has yet to land. */
  private neededBytes({ value, startedAt }: Measurement<KnownNeeds>): number {
    const { whole, toCome } = this.rules.growth;
    let promised = 0;
    for (const entry of this.promises) {
      // The look began after it ended, so its files are among those that wait.
      if (entry.endedAt !== undefined && entry.endedAt < startedAt) this.promises.delete(entry);
      else promised += entry.fileBytes;
    }
    return Math.ceil(value.waitingBytes * toCome + promised * whole);
  }

  private async readTightest(volumes: Volumes): Promise<TightestVolume | undefined> {
    const spaces = await volumes.read();
    const judged = spaces.map((space) => ({
      ...space,
      reserveBytes: reserveOf(space.totalBytes, this.rules.reserveBytes),
    }));
    return judged.sort((a, b) => a.freeBytes - a.reserveBytes - (b.freeBytes - b.reserveBytes))[0];
  }
}

function shortageOf(volume: TightestVolume | undefined, needed: number): CatalogueError | undefined {
  if (volume === undefined || volume.reserveBytes === 0) return undefined;
  const { freeBytes, reserveBytes } = volume;
  if (freeBytes - needed >= reserveBytes) return undefined;
  const figures: SpaceFigures = { free_bytes: freeBytes, reserve_bytes: reserveBytes, needed_bytes: needed };
  return storageLow('volume', { figures });
}
