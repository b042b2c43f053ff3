import { statfs } from 'node:fs/promises';

/** What a volume holds and has free for this user, in bytes. */
export interface VolumeSpace {
  readonly totalBytes: number;
  readonly freeBytes: number;
}

/** The volumes that the service writes to by itself. */
export abstract class Volumes {
  /** One for each folder; two folders may lie on one volume. A folder that is not there is left out. */
  abstract read(): Promise<readonly VolumeSpace[]>;
}

/** The volumes of folders, as the operating system knows them. */
export class VolumesOfFolders extends Volumes {
  /** `folders` gives the folders as they are now: an embedded server may live elsewhere after its first start. */
  constructor(private readonly folders: () => Promise<readonly string[]>) {
    super();
  }

  async read(): Promise<readonly VolumeSpace[]> {
    const found = await Promise.all((await this.folders()).map((folder) => readVolume(folder)));
    return found.filter((space) => space !== undefined);
  }
}

/** The volume on which a folder lies; undefined when there is no such folder. */
export async function readVolume(folder: string): Promise<VolumeSpace | undefined> {
  try {
    const { blocks, bavail, bsize } = await statfs(folder);
    return { totalBytes: blocks * bsize, freeBytes: bavail * bsize };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
