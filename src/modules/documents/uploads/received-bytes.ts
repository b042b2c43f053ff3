import type { SpacePromise, StorageSpace } from '#libs/storage-space';

const MIB = 1024 * 1024;
/** What a form says of its length is believed so far; more is promised as it arrives, so that an announcement alone blocks no one. */
const BELIEVED_BYTES = 64 * MIB;
/** What arrives beyond is promised in such steps. */
const STEP_BYTES = 4 * MIB;

/** The space of one form: promised by its announced length, and raised ahead of what arrives. */
export class ReceivedBytes {
  private received = 0;

  private constructor(
    private readonly promise: SpacePromise,
    private promised: number,
  ) {}

  /** `announced`: the length of the body; NaN where none is announced. @throws `storage.low` */
  static async expect(space: StorageSpace, announced: number): Promise<ReceivedBytes> {
    const promised = Number.isFinite(announced) ? Math.min(announced, BELIEVED_BYTES) : 0;
    return new ReceivedBytes(await space.promise(promised), promised);
  }

  /** To be asked before bytes of a file are written. @throws `storage.low` */
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
