import { stat } from 'node:fs/promises';
import type { SettingsValues } from '#libs/config';
import { readVolume, reserveOf } from '#libs/storage-space';
import { BackupError } from './backup.errors.js';

/** What may be written between two looks at the volume. */
const BYTES_BETWEEN_LOOKS = 64 * 1024 * 1024;
/** A row in a backup takes up to this many times what it takes in the database, where texts are packed and bytes are not written as digits. */
const ROWS_GROW = 2;

/** The space for a backup: a backup on the volume of the data folder leaves the service its reserve. */
export class BackupRoom {
  private sinceLook = 0;

  private constructor(
    private readonly folder: string,
    private readonly reservesOf: ((totalBytes: number) => number) | null,
  ) {}

  static async in(
    folder: string,
    { dataDir, storageReserveBytes }: Pick<SettingsValues, 'dataDir' | 'storageReserveBytes'>,
  ): Promise<BackupRoom> {
    const [own, data] = await Promise.all([stat(folder), stat(dataDir).catch(() => undefined)]);
    const isShared = own.dev === data?.dev;
    return new BackupRoom(folder, isShared ? (total) => reserveOf(total, storageReserveBytes) : null);
  }

  /** To be called before anything is written, with what the database and the files take. @throws BackupError with figures */
  async require(bytes: { readonly database: number; readonly files: number }): Promise<void> {
    await this.look(bytes.database * ROWS_GROW + bytes.files);
  }

  /** Notes what was written, and looks again every now and then: others write to the volume, too. @throws BackupError with figures */
  async wrote(bytes: number): Promise<void> {
    this.sinceLook += bytes;
    if (this.sinceLook < BYTES_BETWEEN_LOOKS) return;
    this.sinceLook = 0;
    await this.look(0);
  }

  private async look(needed: number): Promise<void> {
    const volume = await readVolume(this.folder);
    if (volume === undefined) throw new BackupError(`${this.folder} has gone.`);
    const reserve = this.reservesOf?.(volume.totalBytes) ?? 0;
    if (volume.freeBytes - needed >= reserve) return;
    const kept =
      this.reservesOf === null
        ? ''
        : `, and ${reserve} are kept in reserve for the service, whose data lie on the same volume`;
    const need = needed === 0 ? '' : ` The backup takes up to ${needed} bytes.`;
    throw new BackupError(
      `The volume of ${this.folder} has ${volume.freeBytes} bytes free${kept}.${need} Free space, or name a folder on another volume.`,
    );
  }
}
