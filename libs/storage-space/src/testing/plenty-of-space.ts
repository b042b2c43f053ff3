import { growthOf } from '../growth.js';
import { SpaceNeeds, type FullServer, type KnownNeeds } from '../space-needs.port.js';
import { StorageSpace } from '../storage-space.js';
import { Volumes, type VolumeSpace } from '../volumes.js';

/** A volume whose free space a test sets. */
export class SetVolumes extends Volumes {
  constructor(public spaces: readonly VolumeSpace[]) {
    super();
  }

  async read(): Promise<readonly VolumeSpace[]> {
    return this.spaces;
  }
}

/** What is needed and who is full, in memory. */
export class HeldNeeds extends SpaceNeeds {
  waitingBytes = 0;
  readonly full = new Set<FullServer>();

  async read(): Promise<KnownNeeds> {
    return { waitingBytes: this.waitingBytes, full: [...this.full] };
  }

  async report(server: FullServer): Promise<void> {
    this.full.add(server);
  }

  async withdraw(server: FullServer): Promise<void> {
    this.full.delete(server);
  }
}

/** Space for whatever a test writes. */
export function plentyOfSpace(): StorageSpace {
  const growth = growthOf({ files: true, database: true, vectors: true });
  return new StorageSpace(new SetVolumes([]), new HeldNeeds(), { reserveBytes: undefined, growth });
}
