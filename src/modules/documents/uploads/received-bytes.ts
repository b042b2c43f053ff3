import type { SpacePromise, StorageSpace } from '#libs/storage-space';

const MIB = 1024 * 1024;
/**
 * Maximum number of bytes that are reserved by the announced length of a form. More is reserved as bytes arrive, so that an announcement
 * alone does not block other uploads.
 */
const BELIEVED_BYTES = 64 * MIB;
/** Number of bytes by which the reservation is raised. */
const STEP_BYTES = 4 * MIB;

/** Reserved disk space of one form: by its announced length at first, then raised ahead of the bytes that arrive. */
export class ReceivedBytes {
  private received = 0;

  private constructor(
    private readonly promise: SpacePromise,
    private promised: number,
  ) {}

  /** `announced`: length of the body in bytes; NaN if it is not announced. @throws `storage.low` */
  static async expect(space: StorageSpace, announced: number): Promise<ReceivedBytes> {
    const promised = Number.isFinite(announced) ? Math.min(announced, BELIEVED_BYTES) : 0;
    return new ReceivedBytes(await space.promise(promised), promised);
  }

  /** Call this before bytes of a file are written. @throws `storage.low` */
  async take(bytes: number): Promise<void> {
    this.received += bytes;
    if (this.received <= this.promised) return;
    this.promised = Math.ceil(this.received / STEP_BYTES) * STEP_BYTES;
    await this.promise.atLeast(this.promised);
  }

  end(): void {
    this.promise.end();
  }
}
